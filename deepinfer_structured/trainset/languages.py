"""What the generator knows of each document language: months, weekdays, yes and no, and sentence frames."""

LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")

MONTHS = {
    "en": "January February March April May June July August September October November December".split(),
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(),
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(),
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(),
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(),
    "nl": "januari februari maart april mei juni juli augustus september oktober november december".split(),
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split(),
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(),
}
WEEKDAYS = {
    "en": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "de": "Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag".split(),
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche".split(),
    "es": "lunes martes miércoles jueves viernes sábado domingo".split(),
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica".split(),
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag".split(),
    "pl": "poniedziałek wtorek środa czwartek piątek sobota niedziela".split(),
    "pt": "segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado domingo".split(),
}
YES_NO = {
    "en": (("yes", "no"), ("Yes", "No"), ("YES", "NO"), ("true", "false"), ("Y", "N"), ("enabled", "disabled"), ("on", "off"),
           ("✓", "✗"), ("[x]", "[ ]"), ("True", "False"), ("confirmed", "not confirmed"), ("included", "not included")),
    "de": (("ja", "nein"), ("Ja", "Nein"), ("ja", "nein"), ("vorhanden", "nicht vorhanden")),
    "fr": (("oui", "non"), ("Oui", "Non"), ("inclus", "non inclus")),
    "es": (("sí", "no"), ("Sí", "No"), ("incluido", "no incluido")),
    "it": (("sì", "no"), ("Sì", "No"), ("incluso", "non incluso")),
    "nl": (("ja", "nee"), ("Ja", "Nee"), ("inbegrepen", "niet inbegrepen")),
    "pl": (("tak", "nie"), ("Tak", "Nie")),
    "pt": (("sim", "não"), ("Sim", "Não"), ("incluído", "não incluído")),
}  # fmt: skip

# `{l}` is the label as written in running text, `{v}` the value. Each frame states one field.
FRAMES = {
    "en": (
        "The {l} is {v}.", "{L}: {v}.", "Our {l} is {v}.", "{v} is the {l}.", "The {l} was {v}.", "For the {l}, use {v}.",
        "We recorded {v} as the {l}.", "As {l} we have {v}.", "Please note the {l}: {v}.", "It lists {v} as its {l}.",
        "The {l} given was {v}.", "Set the {l} to {v}.", "{v} was entered as {l}.", "The {l} should read {v}.",
        "{L} – {v}.", "According to the record the {l} is {v}.", "You will find {v} listed as the {l}.",
        "I can confirm that the {l} is {v}.", "The {l} stands at {v}.", "They gave {v} for the {l}.",
        "On the {l}: {v}.", "{l} ({v})", "The file shows {v} under {l}.", "With {v} as the {l}, everything is in order.",
        "Regarding the {l}, it is {v}.", "The {l}, which is {v}, has been checked.", "{v} ({l}).", "Its {l}, {v}, is on file.",
        "Someone wrote down {v} next to {l}.", "The {l} came out as {v}.", "We have the {l} down as {v}.",
    ),
    "de": (
        "{L}: {v}.", "Die Angabe zu {l} lautet {v}.", "{L} ist {v}.", "Als {l} wurde {v} eingetragen.", "{l} beträgt bzw. lautet {v}.",
        "Unter {l} steht {v}.", "Wir haben {v} als {l} notiert.", "Bitte beachten Sie: {l} {v}.", "{v} ({l}).",
    ),
    "fr": (
        "{L} : {v}.", "Le champ {l} indique {v}.", "{L} est {v}.", "Nous avons noté {v} comme {l}.", "Pour {l}, veuillez lire {v}.",
        "Sous {l} figure {v}.", "{v} ({l}).", "Merci de noter : {l} {v}.",
    ),
    "es": (
        "{L}: {v}.", "El campo {l} indica {v}.", "{L} es {v}.", "Hemos anotado {v} como {l}.", "En {l} figura {v}.",
        "{v} ({l}).", "Tenga en cuenta: {l} {v}.", "Para {l} consta {v}.",
    ),
    "it": (
        "{L}: {v}.", "Alla voce {l} risulta {v}.", "{L} è {v}.", "Abbiamo registrato {v} come {l}.", "Come {l} è indicato {v}.",
        "{v} ({l}).", "Si prega di notare: {l} {v}.",
    ),
    "nl": (
        "{L}: {v}.", "Bij {l} staat {v}.", "{L} is {v}.", "Wij hebben {v} genoteerd als {l}.", "Als {l} is {v} opgegeven.",
        "{v} ({l}).", "Let op: {l} {v}.",
    ),
    "pl": (
        "{L}: {v}.", "W polu {l} podano {v}.", "{L} to {v}.", "Zapisano {v} jako {l}.", "{v} ({l}).", "Uwaga: {l} {v}.",
    ),
    "pt": (
        "{L}: {v}.", "No campo {l} consta {v}.", "{L} é {v}.", "Registramos {v} como {l}.", "{v} ({l}).", "Observe: {l} {v}.",
        "Em {l} está {v}.",
    ),
}  # fmt: skip
CHANGED = {
    "en": ("The {l} was {o} but is now {v}.", "The {l} is {v}, not {o}.", "Not {o}: the correct {l} is {v}.",
           "The {l} has been changed from {o} to {v}.", "Previously {o}, the {l} is {v} today.",
           "Ignore {o}; the {l} is {v}.", "We moved the {l} to {v} (it used to be {o})."),
    "de": ("{L} ist nicht {o}, sondern {v}.", "{L} wurde von {o} auf {v} geändert.", "Statt {o} gilt als {l} nun {v}."),
    "fr": ("{L} n'est pas {o} mais {v}.", "{L} est passé de {o} à {v}.",),
    "es": ("{L} no es {o} sino {v}.", "{L} cambió de {o} a {v}."),
    "it": ("{L} non è {o} ma {v}.", "{L} è passato da {o} a {v}."),
    "nl": ("{L} is niet {o} maar {v}.", "{L} is gewijzigd van {o} naar {v}."),
    "pl": ("{L} to nie {o}, lecz {v}.", "{L} zmieniono z {o} na {v}."),
    "pt": ("{L} não é {o}, mas {v}.", "{L} mudou de {o} para {v}."),
}  # fmt: skip
ABSENT = {
    "en": ("n/a", "-", "—", "none", "not given", "unknown", "N/A", "to be confirmed", ""),
    "de": ("-", "k. A.", "keine Angabe", "unbekannt", ""), "fr": ("-", "non renseigné", "inconnu", ""),
    "es": ("-", "sin datos", "no consta", ""), "it": ("-", "non indicato", "n.d.", ""), "nl": ("-", "onbekend", "n.v.t.", ""),
    "pl": ("-", "brak", "nie podano", ""), "pt": ("-", "não informado", "n/d", ""),
}  # fmt: skip
GREETINGS = {
    "en": (("Dear {n},", "Kind regards,"), ("Hi {n},", "Best,"), ("Hello,", "Thanks,"), ("Good morning {n},", "Regards,"),
           ("Dear Sir or Madam,", "Yours faithfully,"), ("Hey {n}!", "Cheers,"), ("To whom it may concern,", "Sincerely,")),
    "de": (("Sehr geehrte Damen und Herren,", "Mit freundlichen Grüßen"), ("Hallo {n},", "Viele Grüße"), ("Liebe/r {n},", "Beste Grüße")),
    "fr": (("Bonjour {n},", "Cordialement,"), ("Madame, Monsieur,", "Bien à vous,"), ("Salut {n},", "À bientôt,")),
    "es": (("Hola {n}:", "Saludos,"), ("Estimado/a {n}:", "Atentamente,"), ("Buenos días:", "Un saludo,")),
    "it": (("Gentile {n},", "Cordiali saluti"), ("Ciao {n},", "A presto"), ("Buongiorno,", "Distinti saluti")),
    "nl": (("Beste {n},", "Met vriendelijke groet,"), ("Hallo {n},", "Groeten,"), ("Geachte heer/mevrouw,", "Hoogachtend,")),
    "pl": (("Dzień dobry,", "Pozdrawiam"), ("Szanowni Państwo,", "Z poważaniem"), ("Cześć {n},", "Do usłyszenia")),
    "pt": (("Olá {n},", "Atenciosamente,"), ("Prezado(a) {n},", "Cordialmente,"), ("Bom dia,", "Abraço,")),
}  # fmt: skip
FILLERS = {
    "en": (
        "Let me know if anything is unclear.", "We look forward to hearing from you.", "Thank you for your patience.",
        "This message was generated automatically.", "Please do not reply to this address.", "The weather has been fine so far.",
        "Everything else stays as agreed.", "I hope this finds you well.", "See the attached file for more.", "Call me if you need help.",
        "As discussed on the phone, here are the details.", "Sorry for the late reply.", "No further action is needed.",
        "Keep this for your records.", "The team did a great job.", "More news will follow next week.", "Terms and conditions apply.",
        "We checked this twice.", "The usual rules apply.", "Nothing else has changed since then.", "Have a nice day!",
        "All details are confidential.", "It took longer than we thought.", "The office is closed on public holidays.",
    ),
    "de": ("Vielen Dank für Ihre Geduld.", "Bei Fragen melden Sie sich bitte.", "Alles Weitere wie besprochen.", "Anbei die Einzelheiten.", "Diese Nachricht wurde automatisch erstellt."),
    "fr": ("Merci de votre patience.", "N'hésitez pas à nous contacter.", "Voici les détails demandés.", "Le reste est inchangé."),
    "es": ("Gracias por su paciencia.", "No dude en contactarnos.", "Adjunto los detalles.", "Todo lo demás sigue igual."),
    "it": ("Grazie per la pazienza.", "Restiamo a disposizione.", "Ecco i dettagli richiesti.", "Tutto il resto è invariato."),
    "nl": ("Bedankt voor uw geduld.", "Neem gerust contact op.", "Hierbij de gegevens.", "De rest blijft zoals afgesproken."),
    "pl": ("Dziękujemy za cierpliwość.", "W razie pytań proszę o kontakt.", "Poniżej szczegóły.", "Reszta bez zmian."),
    "pt": ("Obrigado pela paciência.", "Estamos à disposição.", "Seguem os detalhes.", "O resto continua igual."),
}  # fmt: skip
