"""Labels in other languages, by the first English label of a concept. A concept without an entry stays out of documents in
that language, or keeps its English label the way international forms do."""

TRANSLATED = ("de", "fr", "es", "it", "nl", "pl", "pt")

TABLE = """
Invoice number|Rechnungsnummer/Rechnungs-Nr./Rechnung Nr.|Numéro de facture/Facture n°|Número de factura/Factura n.º|Numero fattura/Fattura n.|Factuurnummer|Numer faktury/Faktura nr|Número da fatura/Fatura n.º
Invoice date|Rechnungsdatum/Datum/Ausgestellt am|Date de facture/Émise le|Fecha de factura/Fecha|Data fattura|Factuurdatum|Data wystawienia|Data da fatura/Emitida em
Due date|Fällig am/Zahlbar bis/Fälligkeit|Échéance/À payer avant le|Vencimiento/Fecha de vencimiento|Scadenza/Pagare entro|Vervaldatum/Te betalen voor|Termin płatności|Vencimento/Pagar até
Vendor|Lieferant/Verkäufer|Fournisseur/Vendeur|Proveedor/Vendedor|Fornitore/Venditore|Leverancier|Sprzedawca|Fornecedor
Customer|Kunde/Rechnung an|Client/Facturé à|Cliente/Facturar a|Cliente/Intestatario|Klant|Nabywca/Klient|Cliente
Subtotal|Zwischensumme/Nettobetrag|Sous-total/Montant HT|Subtotal/Base imponible|Imponibile/Subtotale|Subtotaal|Netto|Subtotal
Tax|MwSt./Umsatzsteuer|TVA/Taxe|IVA/Impuesto|IVA/Imposta|BTW|VAT/Podatek|IVA/Imposto
Total|Gesamtbetrag/Summe/Zu zahlen|Total/Montant total/Total TTC|Total/Importe total|Totale/Importo totale|Totaal/Totaalbedrag|Razem/Do zapłaty|Total/Valor total
Discount|Rabatt/Nachlass|Remise/Rabais|Descuento|Sconto|Korting|Rabat|Desconto
Currency|Währung|Devise|Moneda|Valuta|Valuta|Waluta|Moeda
Tax ID|USt-IdNr.|N° TVA|NIF|Partita IVA|BTW-nummer|NIP|NIF
IBAN|IBAN|IBAN|IBAN|IBAN|IBAN|IBAN|IBAN
Items|Positionen/Artikel|Articles/Lignes|Artículos/Conceptos|Articoli/Voci|Artikelen/Regels|Pozycje|Itens/Artigos
Description|Bezeichnung/Beschreibung|Désignation/Description|Descripción/Concepto|Descrizione|Omschrijving|Opis/Nazwa|Descrição
Quantity|Menge/Anzahl|Quantité/Qté|Cantidad|Quantità|Aantal|Ilość|Quantidade
Qty|Menge|Qté|Cant.|Q.tà|Aantal|Szt.|Qtd.
Unit price|Einzelpreis|Prix unitaire|Precio unitario|Prezzo unitario|Stukprijs|Cena jedn.|Preço unitário
Amount|Betrag/Summe|Montant|Importe|Importo|Bedrag|Kwota|Valor
Store|Geschäft/Filiale|Magasin|Tienda|Negozio|Winkel|Sklep|Loja
Address|Adresse/Anschrift|Adresse|Dirección|Indirizzo|Adres|Adres|Endereço
Date|Datum|Date|Fecha|Data|Datum|Data|Data
Time|Uhrzeit/Zeit|Heure|Hora|Ora|Tijd|Godzina|Hora
Receipt no.|Bonnummer|Ticket n°|Ticket n.º|Scontrino n.|Bonnummer|Paragon nr|Recibo n.º
Cashier|Kassierer/Bedient von|Caissier|Cajero|Cassiere|Kassier|Kasjer|Caixa
Cash|Bar/Gegeben|Espèces|Efectivo|Contanti|Contant|Gotówka|Dinheiro
Change|Rückgeld|Rendu|Cambio|Resto|Wisselgeld|Reszta|Troco
Item|Artikel|Article|Artículo|Articolo|Artikel|Towar|Artigo
Product|Produkt/Artikel|Produit|Producto|Prodotto|Product|Produkt|Produto
Price|Preis|Prix|Precio|Prezzo|Prijs|Cena|Preço
Order number|Bestellnummer/Auftragsnummer|Numéro de commande/Commande n°|Número de pedido/Pedido n.º|Numero ordine|Bestelnummer|Numer zamówienia|Número do pedido/Encomenda n.º
Order date|Bestelldatum|Date de commande|Fecha de pedido|Data ordine|Besteldatum|Data zamówienia|Data do pedido
Delivery date|Lieferdatum/Liefertermin|Date de livraison|Fecha de entrega|Data di consegna|Leverdatum|Data dostawy|Data de entrega
Recipient|Empfänger|Destinataire|Destinatario|Destinatario|Ontvanger|Odbiorca|Destinatário
Shipping address|Lieferadresse/Lieferanschrift|Adresse de livraison|Dirección de envío|Indirizzo di spedizione|Afleveradres|Adres dostawy|Endereço de entrega
Billing address|Rechnungsadresse|Adresse de facturation|Dirección de facturación|Indirizzo di fatturazione|Factuuradres|Adres rozliczeniowy|Endereço de cobrança
Shipping|Versand/Versandkosten|Frais de port|Gastos de envío|Spedizione|Verzendkosten|Wysyłka|Frete/Portes
Order total|Auftragssumme|Total de la commande|Total del pedido|Totale ordine|Besteltotaal|Wartość zamówienia|Total do pedido
Gift|Geschenk|Cadeau|Regalo|Regalo|Cadeau|Prezent|Presente
Note|Bemerkung/Hinweis|Remarque|Nota/Observación|Nota|Opmerking|Uwagi|Observação
Tracking number|Sendungsnummer|Numéro de suivi|Número de seguimiento|Numero di tracciamento|Trackingnummer|Numer przesyłki|Código de rastreio
Carrier|Spediteur/Paketdienst|Transporteur|Transportista|Corriere|Vervoerder|Przewoźnik|Transportadora
Sender|Absender|Expéditeur|Remitente|Mittente|Afzender|Nadawca|Remetente
Weight|Gewicht|Poids|Peso|Peso|Gewicht|Waga|Peso
Status|Status/Stand|Statut|Estado|Stato|Status|Status|Estado/Situação
Ticket|Ticket/Vorgang|Ticket/Dossier|Incidencia|Segnalazione|Ticket|Zgłoszenie|Chamado
Subject|Betreff|Objet/Sujet|Asunto|Oggetto|Onderwerp|Temat|Assunto
Reporter|Gemeldet von|Signalé par|Notificado por|Segnalato da|Gemeld door|Zgłaszający|Relatado por
Assignee|Zuständig/Bearbeiter|Assigné à|Asignado a|Assegnato a|Toegewezen aan|Przypisany do|Responsável
Priority|Priorität/Dringlichkeit|Priorité|Prioridad|Priorità|Prioriteit|Priorytet|Prioridade
Created|Erstellt am/Eröffnet|Créé le|Creado el|Creato il|Aangemaakt op|Utworzono|Criado em
Position|Stelle/Position|Poste|Puesto|Posizione|Functie|Stanowisko|Cargo
Company|Firma/Unternehmen|Société/Entreprise|Empresa|Azienda/Società|Bedrijf|Firma|Empresa
Location|Ort/Standort|Lieu|Lugar|Luogo|Locatie|Lokalizacja|Local
Salary|Gehalt|Salaire|Salario/Sueldo|Stipendio|Salaris|Wynagrodzenie|Salário
Apply by|Bewerbungsfrist|Date limite|Fecha límite|Candidarsi entro|Reageren voor|Aplikuj do|Candidatar-se até
Payer|Auftraggeber/Zahler|Payeur/Donneur d'ordre|Ordenante|Ordinante|Betaler|Płatnik|Pagador
Payee|Zahlungsempfänger/Begünstigter|Bénéficiaire|Beneficiario|Beneficiario|Begunstigde|Odbiorca płatności|Beneficiário
Reference|Verwendungszweck/Referenz|Référence|Referencia/Concepto|Causale/Riferimento|Kenmerk|Tytuł przelewu|Referência
Balance|Saldo/Kontostand|Solde|Saldo|Saldo|Saldo|Saldo|Saldo
Booking date|Buchungsdatum|Date d'opération|Fecha de operación|Data operazione|Boekdatum|Data księgowania|Data da operação
Topic|Thema|Thème/Sujet|Tema|Argomento|Onderwerp|Temat|Tema
Organiser|Veranstalter/Leitung|Organisateur|Organizador|Organizzatore|Organisator|Organizator|Organizador
Start|Beginn/Anfang|Début|Inicio|Inizio|Begin|Początek|Início
End|Ende|Fin|Fin|Fine|Einde|Koniec|Fim
Room|Raum/Zimmer|Salle|Sala|Sala/Stanza|Zaal/Kamer|Sala|Sala
Attendees|Teilnehmer/Anwesend|Participants/Présents|Asistentes|Partecipanti|Aanwezigen|Uczestnicy|Participantes
Name|Name|Nom|Nombre|Nome|Naam|Imię i nazwisko/Nazwa|Nome
Brand|Marke/Hersteller|Marque|Marca|Marca|Merk|Marka|Marca
Colour|Farbe|Couleur|Color|Colore|Kleur|Kolor|Cor
Title|Titel|Titre|Título|Titolo|Titel|Tytuł|Título
E-mail|E-Mail/Mail|E-mail/Courriel|Correo electrónico/Correo|E-mail/Posta elettronica|E-mail|E-mail|E-mail/Correio eletrónico
Phone|Telefon/Tel.|Téléphone/Tél.|Teléfono/Tel.|Telefono/Tel.|Telefoon/Tel.|Telefon|Telefone
Mobile|Mobil/Handy|Portable|Móvil|Cellulare|Mobiel|Komórka|Celular/Telemóvel
Website|Webseite|Site web|Página web|Sito web|Website|Strona www|Site
Street|Straße|Rue|Calle|Via|Straat|Ulica|Rua
City|Stadt/Ort|Ville|Ciudad|Città|Plaats/Stad|Miasto|Cidade
Postal code|PLZ/Postleitzahl|Code postal|Código postal|CAP|Postcode|Kod pocztowy|Código postal/CEP
Country|Land|Pays|País|Paese|Land|Kraj|País
Birthday|Geburtsdatum/Geboren am|Date de naissance/Né(e) le|Fecha de nacimiento|Data di nascita|Geboortedatum|Data urodzenia|Data de nascimento
Date of birth|Geburtsdatum/Geboren am|Date de naissance/Né(e) le|Fecha de nacimiento|Data di nascita|Geboortedatum|Data urodzenia|Data de nascimento
Event|Veranstaltung|Événement|Evento|Evento|Evenement|Wydarzenie|Evento
Venue|Veranstaltungsort|Lieu de l'événement|Recinto|Sede|Zaal/Locatie|Miejsce|Local do evento
Ticket price|Eintritt/Eintrittspreis|Prix du billet|Precio de la entrada|Prezzo del biglietto|Ticketprijs|Cena biletu|Preço do ingresso
Patient|Patient|Patient|Paciente|Paziente|Patiënt|Pacjent|Paciente
Doctor|Arzt/Behandelnder Arzt|Médecin|Médico|Medico|Arts|Lekarz|Médico
Diagnosis|Diagnose|Diagnostic|Diagnóstico|Diagnosi|Diagnose|Rozpoznanie|Diagnóstico
Medication|Medikament|Médicament|Medicamento|Farmaco|Medicijn|Lek|Medicamento
Temperature|Temperatur|Température|Temperatura|Temperatura|Temperatuur|Temperatura|Temperatura
Recipe|Rezept|Recette|Receta|Ricetta|Recept|Przepis|Receita
Servings|Portionen|Portions|Raciones|Porzioni|Porties|Porcje|Porções
Rent|Miete/Kaltmiete|Loyer|Alquiler|Affitto|Huur|Czynsz|Aluguel/Renda
Rooms|Zimmer|Pièces|Habitaciones|Locali|Kamers|Pokoje|Quartos
Built|Baujahr|Année de construction|Año de construcción|Anno di costruzione|Bouwjaar|Rok budowy|Ano de construção
Passenger|Passagier/Fluggast|Passager|Pasajero|Passeggero|Passagier|Pasażer|Passageiro
Flight|Flug/Flugnummer|Vol|Vuelo|Volo|Vlucht|Lot|Voo
From|Von/Ab|De/Départ|Desde/Origen|Da|Van|Z/Skąd|De/Origem
To|Nach/An|À/Arrivée|Hasta/Destino|A|Naar|Do/Dokąd|Para/Destino
Seat|Sitzplatz|Siège|Asiento|Posto|Stoel|Miejsce|Assento
Hotel|Hotel|Hôtel|Hotel|Hotel|Hotel|Hotel|Hotel
Guest|Gast|Client/Hôte|Huésped|Ospite|Gast|Gość|Hóspede
Check-in|Anreise|Arrivée|Entrada/Llegada|Arrivo|Aankomst|Zameldowanie|Check-in/Entrada
Check-out|Abreise|Départ|Salida|Partenza|Vertrek|Wymeldowanie|Check-out/Saída
Nights|Nächte|Nuits|Noches|Notti|Nachten|Noce|Noites
Breakfast|Frühstück|Petit-déjeuner|Desayuno|Colazione|Ontbijt|Śniadanie|Café da manhã/Pequeno-almoço
Make|Marke/Fabrikat|Marque|Marca|Marca|Merk|Marka|Marca
Model|Modell|Modèle|Modelo|Modello|Model|Model|Modelo
Year|Jahr/Baujahr|Année|Año|Anno|Jaar|Rok|Ano
Mileage|Kilometerstand|Kilométrage|Kilometraje|Chilometraggio|Kilometerstand|Przebieg|Quilometragem
Author|Autor/Verfasser|Auteur|Autor|Autore|Auteur|Autor|Autor
Publisher|Verlag|Éditeur|Editorial|Editore|Uitgever|Wydawca|Editora
Pages|Seiten|Pages|Páginas|Pagine|Pagina's|Strony|Páginas
Teacher|Lehrer/Dozent|Enseignant|Profesor|Docente|Docent|Prowadzący|Professor
Department|Abteilung|Service|Departamento|Reparto|Afdeling|Dział|Departamento
Manager|Vorgesetzter/Leiter|Responsable|Jefe/Responsable|Responsabile|Leidinggevende|Przełożony|Gerente
Contract number|Vertragsnummer|Numéro de contrat|Número de contrato|Numero contratto|Contractnummer|Numer umowy|Número do contrato
Signed on|Unterzeichnet am|Signé le|Firmado el|Firmato il|Getekend op|Podpisano|Assinado em
Monthly fee|Monatsgebühr|Mensualité|Cuota mensual|Canone mensile|Maandbedrag|Opłata miesięczna|Mensalidade
"""


def read_table() -> dict[str, dict[str, tuple[str, ...]]]:
    """English label -> language -> labels."""
    table: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in TABLE.strip().splitlines():
        english, *rest = line.split("|")
        table[english] = {language: tuple(cell.split("/")) for language, cell in zip(TRANSLATED, rest, strict=True)}
    return table


TRANSLATIONS = read_table()
