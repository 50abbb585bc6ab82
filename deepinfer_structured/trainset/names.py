"""Values that name things: people, places, firms, identifiers, addresses on the net, phrases."""

from deepinfer_structured.trainset import lexicon
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.values import EMAIL, URI, Style, Value, text_value

COMPANY_SUFFIXES = (
    "Inc.",
    "LLC",
    "Ltd",
    "Group",
    "& Sons",
    "Partners",
    "Corp.",
    "Holdings",
    "PLC",
    "Co.",
    "Labs",
    "Systems",
)
STREET_SUFFIXES = ("Street", "Road", "Avenue", "Lane", "Drive", "Way", "Court", "Close", "Blvd", "St", "Rd", "Ave")
DOMAINS = (
    "example.com",
    "mail.test",
    "example.org",
    "post.example",
    "inbox.test",
    "example.net",
    "gmail.com",
    "outlook.com",
)
TLDS = ("com", "org", "net", "io", "co.uk", "de", "fr", "es", "it", "nl", "pl", "eu", "dev", "app")
COUNTRIES = ("Germany France Spain Italy Poland Brazil Canada Japan India Mexico Norway Sweden Portugal Austria Ireland Chile "
             "Kenya Egypt Greece Turkey Finland Denmark Belgium Peru Vietnam Ghana").split()  # fmt: skip
IDENTIFIERS = (
    "@@-#####", "@@@-####", "######", "@#######", "####-####", "@@#####@", "#####/##", "@@@##", "####/@@", "@@-####-##", "@-######",
    "##-###-####", "@@@-@@-###", "#########", "@@####", "^^^^^^^^", "@@@@-####", "##@@####", "#-###-#####", "@@.###.###", "#######-@",
    "@@_####", "%%-####", "%%%###", "^^^^^^^^^^^^", "####.##.#", "@@@######", "@####@##", "####-@@@-##", "Q#-####", "T####-##",
)  # fmt: skip
LONG_IDENTIFIERS = (
    "^^^^^^^^-^^^^-^^^^-^^^^-^^^^^^^^^^^^", "^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^", "##########################",
    "@@## #### #### #### #### ##", "1Z@@#############", "@@@@#########@@########", "^^^^^^^^^^^^^^^^^^^^^^^^", "#### #### #### ####",
    "@@@-#####-@@@@@-#####-@", "sk_%%%%_^^^^^^^^^^^^^^^^^^^^", "@@##@@@@##############",
)  # fmt: skip
PHONES = {
    "en": ("(###) 555-####", "+1 ### 555 ####", "555-####", "+44 20 #### ####", "###-555-####", "+1-###-###-####", "0#### ######"),
    "de": ("+49 ## #######", "0## / ######", "0### ######", "+49 (0)### #####"), "fr": ("0# ## ## ## ##", "+33 # ## ## ## ##"),
    "es": ("+34 ### ### ###", "### ## ## ##"), "it": ("+39 ## ### ####", "0## #######"), "nl": ("+31 # ########", "06-########"),
    "pl": ("+48 ### ### ###", "## ### ## ##"), "pt": ("+351 ### ### ###", "(##) 9####-####"),
}  # fmt: skip
POSTCODES = {
    "en": ("#####", "@@# #@@", "@## #@@", "#####-####"),
    "nl": ("#### @@",),
    "pl": ("##-###",),
    "pt": ("####-###",),
}


def home(draw: Draw) -> str:
    """The language a name comes from: the document's, or now and then another."""
    return draw.pick(lexicon.NAMED_LANGUAGES) if draw.chance(0.3) else draw.language


def person_name(draw: Draw) -> str:
    """A full name."""
    language = home(draw)
    first, last = draw.word("first", language), draw.word("last", language)
    form = draw.random()
    if form < 0.78:
        return f"{first} {last}"
    if form < 0.84:
        return f"{first} {draw.letters(1)}. {last}"
    if form < 0.88:
        return f"{first} {last}-{draw.word('last', language)}"
    if form < 0.92 and draw.language == "en":
        return f"{draw.pick(('Dr.', 'Mr', 'Ms', 'Mrs.', 'Prof.', 'Mr.'))} {first} {last}"
    if form < 0.95:
        return f"{first[:1]}. {last}"
    return f"{first} {draw.word('first', language)} {last}"


def ascii_name(text: str) -> str:
    """A name as an address on the net would spell it."""
    table = {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "ł": "l",
        "é": "e",
        "è": "e",
        "á": "a",
        "ó": "o",
        "í": "i",
        "ñ": "n",
        "ç": "c",
    }
    return "".join(table.get(c, c if c.isascii() and c.isalnum() else "") for c in text.lower()) or "info"


def person(draw: Draw, style: Style) -> Value:
    return text_value(person_name(draw))


def first_name(draw: Draw, style: Style) -> Value:
    return text_value(draw.word("first", home(draw)))


def last_name(draw: Draw, style: Style) -> Value:
    return text_value(draw.word("last", home(draw)))


def company(draw: Draw, style: Style) -> Value:
    if draw.chance(0.2):
        return text_value(draw.word("company", "en"))
    suffixes = lexicon.languages().get(draw.language, {}).get("company_suffix") or COMPANY_SUFFIXES
    stem = draw.word("last", home(draw)) if draw.chance(0.5) else draw.word("noun", "en").title()
    if draw.chance(0.35):
        stem += " " + (draw.word("last", home(draw)) if draw.chance(0.5) else draw.word("noun", "en").title())
    return text_value(stem + " " + draw.pick(suffixes) if draw.chance(0.8) else stem)


def city(draw: Draw, style: Style) -> Value:
    return text_value(draw.word("city", home(draw)))


def country(draw: Draw, style: Style) -> Value:
    own = lexicon.languages().get(draw.language, {}).get("country")
    return text_value(draw.pick(own or COUNTRIES))


def street(draw: Draw, style: Style) -> Value:
    name = draw.word("street")
    if draw.language == "en":
        return text_value(f"{draw.integer(1, 999)} {name} {draw.pick(STREET_SUFFIXES)}")
    return text_value(
        f"{draw.integer(1, 199)} {'rue ' if draw.chance(0.5) else ''}{name}"
        if draw.language == "fr"
        else f"{name} {draw.integer(1, 199)}"
    )


def postcode(draw: Draw, style: Style) -> Value:
    return text_value(draw.pattern(draw.pick(POSTCODES.get(draw.language, ("#####",)))))


def address(draw: Draw, style: Style) -> Value:
    place, code = city(draw, style).answer, postcode(draw, style).answer
    tail = f"{place} {code}" if draw.language == "en" else f"{code} {place}"
    return text_value(f"{street(draw, style).answer}, {tail}")


def host(draw: Draw) -> str:
    """A host name."""
    stem = ascii_name(draw.word("last", home(draw)) if draw.chance(0.5) else draw.word("noun", "en"))
    return (
        f"{stem}.{draw.pick(TLDS)}"
        if draw.chance(0.7)
        else f"{stem}-{ascii_name(draw.word('noun', 'en'))}.{draw.pick(TLDS)}"
    )


def email(draw: Draw, style: Style) -> Value:
    first, last = ascii_name(draw.word("first", home(draw))), ascii_name(draw.word("last", home(draw)))
    user = draw.pick((f"{first}.{last}", f"{first[:1]}{last}", f"{first}{draw.integer(1, 99)}", f"{last}", f"{first}_{last}",
                      draw.pick(("info", "sales", "office", "support", "billing", "hello", "contact", "jobs"))))  # fmt: skip
    where = draw.pick(DOMAINS) if draw.chance(0.4) else host(draw)
    text = f"{user}@{where}"
    return Value(text, text, EMAIL)


def url(draw: Draw, style: Style) -> Value:
    path = draw.pick(
        (
            "",
            "",
            f"/{ascii_name(draw.word('noun', 'en'))}",
            f"/{ascii_name(draw.word('noun', 'en'))}/{draw.integer(1, 9999)}",
            f"/?id={draw.integer(1, 9999)}",
        )
    )
    text = f"{draw.pick(('https://', 'https://www.', 'http://'))}{host(draw)}{path}"
    return Value(text, text, URI)


def phone(draw: Draw, style: Style) -> Value:
    return text_value(draw.pattern(draw.pick(PHONES[draw.language])))


def identifier(draw: Draw, style: Style) -> Value:
    if draw.chance(0.08):
        return text_value(draw.pattern(draw.pick(LONG_IDENTIFIERS)))
    prefix = draw.letters(draw.integer(1, 4)) + draw.pick(("-", "-", "", "/", " ", "#")) if draw.chance(0.4) else ""
    return text_value(prefix + draw.pattern(draw.pick(IDENTIFIERS)))


def long_identifier(draw: Draw, style: Style) -> Value:
    return text_value(draw.pattern(draw.pick(LONG_IDENTIFIERS)))


def digits(draw: Draw, style: Style) -> Value:
    return text_value(draw.digits(draw.integer(3, 12)))


def username(draw: Draw, style: Style) -> Value:
    first = ascii_name(draw.word("first", home(draw)))
    return text_value(
        draw.pick(
            (
                f"{first}{draw.integer(1, 999)}",
                f"@{first}_{ascii_name(draw.word('noun', 'en'))}",
                f"{first}.{draw.letters(1).lower()}",
            )
        )
    )


def version(draw: Draw, style: Style) -> Value:
    return text_value(
        draw.pick(("", "v"))
        + f"{draw.integer(0, 19)}.{draw.integer(0, 30)}"
        + (f".{draw.integer(0, 40)}" if draw.chance(0.7) else "")
        + draw.pick(("", "", "", "-rc1", "-beta"))
    )


def address_ip(draw: Draw, style: Style) -> Value:
    return text_value(".".join(str(draw.integer(1, 254)) for _ in range(4)))


def path(draw: Draw, style: Style) -> Value:
    parts = [ascii_name(draw.word("noun", "en")) for _ in range(draw.integer(1, 3))]
    return text_value("/" + "/".join(parts) + draw.pick((".txt", ".log", ".csv", ".py", ".json", "")))


def plate(draw: Draw, style: Style) -> Value:
    return text_value(draw.pattern(draw.pick(("@@-@@ ###", "@@## @@@", "###-@@@", "@@-###-@@", "#@@@###", "@@@ ####"))))


def coordinate(draw: Draw, style: Style) -> Value:
    return text_value(f"{draw.random() * 180 - 90:.4f}, {draw.random() * 360 - 180:.4f}")


def job(draw: Draw, style: Style) -> Value:
    return text_value(draw.word("job").split(" / ")[0])


def food(draw: Draw, style: Style) -> Value:
    return text_value(draw.word("food"))


def thing(draw: Draw, style: Style) -> Value:
    """A short noun phrase: a product, a part, a topic."""
    language = draw.language
    if language == "en" or draw.chance(0.3):
        noun = draw.word("noun", "en")
        text = noun if draw.chance(0.25) else f"{draw.word('adjective', 'en')} {noun}"
        text = f"{text} {draw.word('noun', 'en')}" if draw.chance(0.2) else text
    else:
        text = draw.word("food") if draw.chance(0.4) else " ".join(draw.word("word") for _ in range(draw.integer(1, 3)))
    form = draw.random()
    text = text.capitalize() if form < 0.5 else text.title() if form < 0.75 else text
    return text_value(f"{text} {draw.pattern(draw.pick(('##', '@#', '###', '@@-#')))}" if draw.chance(0.12) else text)


def phrase(draw: Draw, style: Style) -> Value:
    """A few running words, as a subject or a note would have."""
    words = [
        draw.word("word") if draw.chance(0.6) or draw.language != "en" else draw.word("noun", "en")
        for _ in range(draw.integer(2, 7))
    ]
    return text_value(" ".join(words).capitalize())


def single(draw: Draw, style: Style) -> Value:
    """One word."""
    word = draw.word("noun", "en") if draw.language == "en" else draw.word("word")
    return text_value(word.capitalize() if draw.chance(0.5) else word)


def quoted(draw: Draw, style: Style) -> Value:
    """A sentence of the kind people write in a remark."""
    words = " ".join(draw.word("word") for _ in range(draw.integer(4, 11))).capitalize()
    return text_value(words + draw.pick((".", ".", "!", "?")))
