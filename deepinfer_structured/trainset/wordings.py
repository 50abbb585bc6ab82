"""Wordings that make running text vary: lead-ins, tails, two facts in one sentence, rows as sentences, yes and no told
without saying yes or no, words of enumerations in other languages."""

LEADS = (
    "As far as we know, ", "Just so you know, ", "By the way, ", "For the record, ", "Right now ", "At the moment ", "Please remember: ", "To be precise, ",
    "As agreed, ", "One more thing: ", "First of all, ", "Also, ", "In addition, ", "Besides, ", "Finally, ", "After checking, ", "On second thought, ",
    "If I remember correctly, ", "Good news: ", "Note that ", "It turns out that ", "I was told that ", "We can confirm that ", "Our notes say that ",
    "The form says that ", "You asked; ", "Then, ", "Actually, ", "Meanwhile, ", "In short, ",
)  # fmt: skip
TAILS = (
    ", as agreed", ", by the way", " (checked)", ", I believe", ", as you know", " for now", ", as usual", " this time", ", so they say", ", no more, no less",
    " - please note", ", to be exact", ", according to our files", " at present", ", if nothing changes", ", as promised", " (see above)", ", right?",
)  # fmt: skip
PAIRED = (
    "The {a} and the {b} are {x} and {y} respectively.", "The {a} is {x}, the {b} {y}.", "{x} is the {a} and {y} the {b}.", "While the {a} is {x}, the {b} is {y}.",
    "Unlike the {a} ({x}), the {b} is {y}.", "We have {x} as {a} and {y} as {b}.", "Both are known: {a} {x}, {b} {y}.", "Apart from the {a}, {x}, there is the {b}: {y}.",
    "Do not mix up the {a} {x} and the {b} {y}.", "{a}: {x}, {b}: {y}.", "With the {a} at {x} and the {b} at {y} we are done.", "{x} ({a}) and {y} ({b}).",
    "Not only is the {a} {x}, the {b} is {y} as well.", "The {b} is {y}; {x} is the {a}.",
)  # fmt: skip
ROW_FIRST = (
    "For {v} ", "{v} has ", "{v} comes with ", "{v}: ", "There is {v} with ", "We noted {v}, ", "Next, {v} with ", "{v} - ", "{v} shows ", "Then {v}, that is ",
)  # fmt: skip
ROW_REST = ("{l} {v}", "the {l} {v}", "{l}: {v}", "{v} as {l}", "{l} = {v}", "a {l} of {v}")

# key of a yes-or-no field: what is said when it holds, and when it does not
TRUTHS = {
    "pets_allowed": (("Pets are welcome.", "You may bring your dog.", "Animals can stay."), ("No pets, please.", "Pets are not allowed.", "Sorry, no animals.")),
    "pets": (("They keep a cat.", "A dog lives there too."), ("There are no animals.", "No pets live there.")),
    "remote": (("You can work from home.", "The job is fully remote.", "Work from anywhere."), ("You work on site.", "No remote work.", "Presence in the office is required.")),
    "gift": (("It is a present.", "Please wrap it as a gift.", "This is for my aunt's birthday."), ("It is not a gift.", "No gift wrapping, thanks.", "It is for myself.")),
    "fragile": (("Careful, it is fragile.", "Handle with care!", "There is glass inside."), ("Nothing in it can break.", "It is not fragile.")),
    "available": (("You can order it now.", "It can be had at once."), ("It is not available right now.", "It cannot be ordered.")),
    "auto_renewal": (("It renews by itself.", "Unless cancelled, it goes on."), ("It does not renew by itself.", "It simply ends.")),
    "auto_renew": (("It will renew automatically.", "The plan renews by itself."), ("It will not renew by itself.", "Renewal is off.")),
    "active": (("They still work here.", "The employee is active."), ("They left the company.", "The employee no longer works here.")),
    "sold_out": (("There are no tickets left.", "It is sold out!"), ("There are still tickets.", "Tickets are still to be had.")),
    "urgent": (("Please answer today!", "This cannot wait.", "It is urgent."), ("There is no hurry.", "It can wait.", "Not urgent.")),
    "smoker": (("The patient smokes.", "Smokes a pack a day."), ("The patient does not smoke.", "Never smoked.", "Non-smoker.")),
    "vegetarian": (("There is no meat in it.", "It is a vegetarian dish."), ("It contains meat.", "Not for vegetarians.")),
    "balcony": (("It has a balcony.", "You can sit on the balcony."), ("There is no balcony.", "It comes without a balcony.")),
    "breakfast": (("Breakfast is included.", "The price includes breakfast."), ("Breakfast costs extra.", "Breakfast is not included.")),
    "breaking": (("It breaks the old interface.", "There are breaking changes."), ("It is fully compatible.", "Nothing breaks.")),
    "anonymous": (("The giver wants to stay unnamed.", "Please do not print the name."), ("The name may be printed.", "The gift is not anonymous.")),
    "monthly": (("It comes every month.", "It is a monthly gift."), ("It was given once.", "A single gift.")),
    "accepted": (("We accept the claim.", "The claim was granted."), ("We must turn the claim down.", "The claim was rejected.")),
    "would_recommend": (("I would recommend you to anyone.", "I'd tell my friends about it."), ("I would not recommend it.", "I can't recommend you.")),
    "recommended": (("We will come again!", "I can recommend the place."), ("We won't come back.", "I cannot recommend the place.")),
    "driving_licence": (("I have a driving licence.", "I can drive a car."), ("I do not drive.", "I have no driving licence.")),
    "with_food": (("Take it with a meal.", "To be taken with food."), ("Take it on an empty stomach.", "Not to be taken with food.")),
}  # fmt: skip

# English word of an enumeration: how documents in other languages say it
FOREIGN = {
    "paid": {"de": "bezahlt", "fr": "payée", "es": "pagada", "it": "pagata", "nl": "betaald", "pl": "opłacona", "pt": "paga"},
    "unpaid": {"de": "unbezahlt", "fr": "impayée", "es": "pendiente", "it": "non pagata", "nl": "onbetaald", "pl": "nieopłacona", "pt": "não paga"},
    "overdue": {"de": "überfällig", "fr": "en retard", "es": "vencida", "it": "scaduta", "nl": "achterstallig", "pl": "przeterminowana", "pt": "vencida"},
    "cancelled": {"de": "storniert", "fr": "annulée", "es": "cancelada", "it": "annullata", "nl": "geannuleerd", "pl": "anulowana", "pt": "cancelada"},
    "draft": {"de": "Entwurf", "fr": "brouillon", "es": "borrador", "it": "bozza", "nl": "concept", "pl": "szkic", "pt": "rascunho"},
    "open": {"de": "offen", "fr": "ouvert", "es": "abierta", "it": "aperta", "nl": "open", "pl": "otwarte", "pt": "aberto"},
    "closed": {"de": "geschlossen", "fr": "fermé", "es": "cerrada", "it": "chiusa", "nl": "gesloten", "pl": "zamknięte", "pt": "fechado"},
    "low": {"de": "niedrig", "fr": "basse", "es": "baja", "it": "bassa", "nl": "laag", "pl": "niski", "pt": "baixa"},
    "medium": {"de": "mittel", "fr": "moyenne", "es": "media", "it": "media", "nl": "gemiddeld", "pl": "średni", "pt": "média"},
    "high": {"de": "hoch", "fr": "haute", "es": "alta", "it": "alta", "nl": "hoog", "pl": "wysoki", "pt": "alta"},
    "delivered": {"de": "zugestellt", "fr": "livré", "es": "entregado", "it": "consegnato", "nl": "bezorgd", "pl": "doręczona", "pt": "entregue"},
    "delayed": {"de": "verspätet", "fr": "retardé", "es": "retrasado", "it": "in ritardo", "nl": "vertraagd", "pl": "opóźniona", "pt": "atrasado"},
    "red": {"de": "rot", "fr": "rouge", "es": "rojo", "it": "rosso", "nl": "rood", "pl": "czerwony", "pt": "vermelho"},
    "blue": {"de": "blau", "fr": "bleu", "es": "azul", "it": "blu", "nl": "blauw", "pl": "niebieski", "pt": "azul"},
    "green": {"de": "grün", "fr": "vert", "es": "verde", "it": "verde", "nl": "groen", "pl": "zielony", "pt": "verde"},
    "black": {"de": "schwarz", "fr": "noir", "es": "negro", "it": "nero", "nl": "zwart", "pl": "czarny", "pt": "preto"},
    "white": {"de": "weiß", "fr": "blanc", "es": "blanco", "it": "bianco", "nl": "wit", "pl": "biały", "pt": "branco"},
}  # fmt: skip
