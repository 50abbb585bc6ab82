"""Who did what to whom: records whose fields are the roles of a verb, told in running text without labels.

Several clauses with different verbs stand side by side, so the right person is a matter of reading, not of type.
"""

from dataclasses import dataclass

from deepinfer_structured.trainset import kinds
from deepinfer_structured.trainset.catalogue import bare, heldout_names
from deepinfer_structured.trainset.compose import NAME_STYLES, styled
from deepinfer_structured.trainset.draw import Draw
from deepinfer_structured.trainset.languages import FILLERS
from deepinfer_structured.trainset.nodes import Leaf, Node, Record
from deepinfer_structured.trainset.values import new_style

# base, past, agent noun
VERBS = tuple(tuple(entry.split("/")) for entry in (
    "sell/sold/seller buy/bought/buyer send/sent/sender deliver/delivered/courier paint/painted/painter repair/repaired/mechanic "
    "write/wrote/writer translate/translated/translator build/built/builder design/designed/designer sign/signed/signatory "
    "approve/approved/approver inspect/inspected/inspector test/tested/tester order/ordered/orderer rent/rented/renter "
    "lend/lent/lender find/found/finder lose/lost/loser donate/donated/donor report/reported/reporter install/installed/installer "
    "clean/cleaned/cleaner cook/cooked/cook teach/taught/teacher record/recorded/recorder film/filmed/camera_operator "
    "review/reviewed/reviewer edit/edited/editor publish/published/publisher print/printed/printer pack/packed/packer "
    "load/loaded/loader unload/unloaded/unloader weigh/weighed/weigher measure/measured/measurer photograph/photographed/photographer "
    "move/moved/mover store/stored/keeper collect/collected/collector return/returned/returner open/opened/opener "
    "close/closed/closer start/started/starter plan/planned/planner schedule/scheduled/scheduler book/booked/booker "
    "cancel/cancelled/canceller pay/paid/payer charge/charged/charger refund/refunded/refunder count/counted/counter "
    "check/checked/checker fix/fixed/fixer break/broke/breaker bring/brought/bringer take/took/taker give/gave/giver receive/received/receiver "
    "win/won/winner lead/led/leader train/trained/trainer hire/hired/employer visit/visited/visitor host/hosted/host "
    "plant/planted/planter harvest/harvested/harvester brew/brewed/brewer bake/baked/baker sew/sewed/tailor carve/carved/carver "
    "restore/restored/restorer auction/auctioned/auctioneer insure/insured/insurer import/imported/importer export/exported/exporter "
    "discover/discovered/discoverer invent/invented/inventor name/named/namer own/owned/owner steal/stole/thief hide/hid/hider"
).split())  # fmt: skip

# role: value kinds, field names, piece of text, what a description asks
ROLES = {
    "agent": (("person", "person", "company"), ("{past}_by", "{agent}", "{agent}_name", "who_{past}", "{base}_person"), "", ("who {past} it", "the {agent}", "the one who {past}")),
    "object": (("thing", "food", "title", "identifier"), ("{past}_item", "{past}_thing", "what_was_{past}", "item_{past}", "{base}_object"), "", ("what was {past}", "the thing that was {past}")),
    "recipient": (("person", "company"), ("{past}_to", "{base}_recipient", "{past}_for_whom", "{base}_to"), "to {v}", ("to whom it was {past}", "who got what was {past}")),
    "source": (("company", "person", "city"), ("{past}_from", "{base}_source", "{base}_origin"), "from {v}", ("from where it was {past}", "whom the {past} thing came from")),
    "place": (("city", "city", "street"), ("{past}_in", "{past}_at", "{base}_place", "where_{past}", "{base}_location"), "in {v}", ("where it was {past}", "place of the {base}")),
    "date": (("date",), ("{past}_on", "{base}_date", "date_{past}", "when_{past}"), "on {v}", ("when it was {past}", "day of the {base}")),
    "price": (("money",), ("{past}_for", "{base}_price", "{base}_cost", "price_{past}"), "for {v}", ("how much it was {past} for", "the price at which it was {past}")),
    "count": (("small", "count"), ("{past}_count", "number_{past}", "how_many_{past}", "{base}_quantity"), "", ("how many were {past}", "number of pieces {past}")),
    "helper": (("person",), ("{past}_with", "{base}_helper", "{base}_assistant", "{base}_partner"), "with {v}", ("who helped when it was {past}", "with whom it was {past}")),
    "witness": (("person",), ("{base}_witness", "{past}_before"), "while {v} looked on", ("who saw it being {past}", "the witness when it was {past}")),
}  # fmt: skip


@dataclass(slots=True)
class Clause:
    """One verb with its filled roles."""

    verb: tuple[str, ...]
    leaves: dict[str, Leaf]


def make_clause(draw: Draw, verb: tuple[str, ...], style_name: str, described: float, asked: bool) -> Clause:
    """Roles and values of one verb."""
    base, past, agent = verb
    style = new_style(draw)
    optional = draw.some(
        ("recipient", "source", "place", "date", "price", "count", "helper", "witness"), draw.integer(1, 5)
    )
    leaves = {}
    for role in ("agent", "object", *optional):
        kinds_of, names, _, notes = ROLES[role]
        kind = draw.pick(kinds_of)
        value = kinds.sample(draw, style, kind)
        name = draw.pick(names).format(base=base, past=past, agent=agent)
        leaf = Leaf(
            styled(name, style_name), name.replace("_", " ").capitalize(), value.answer, value.text, value.schema, kind
        )
        leaf.asked = asked and draw.chance(0.75) and bare(name) not in heldout_names()
        leaf.key = draw.pick(notes).format(base=base, past=past, agent=agent.replace("_", " "))
        if leaf.asked and draw.chance(described):
            leaf.description = draw.pick(notes).format(base=base, past=past, agent=agent.replace("_", " "))
        leaves[role] = leaf
    return Clause(verb, leaves)


PARTICIPLES = {
    "wrote": "written",
    "broke": "broken",
    "took": "taken",
    "gave": "given",
    "stole": "stolen",
    "hid": "hidden",
    "sewed": "sewn",
}


def tell(draw: Draw, clause: Clause) -> str:
    """A clause as one sentence, active or passive, its pieces in varying order."""
    _, past, agent = clause.verb
    done, leaves = PARTICIPLES.get(past, past), clause.leaves
    thing = leaves["object"].text
    thing = (
        draw.pick(("the {}", "{}", "a {}", '"{}"')).format(thing) if leaves["object"].kind != "identifier" else thing
    )
    if "count" in leaves:
        thing = draw.pick(("{n} pieces of {t}", "{n} x {t}", "{n} {t}", "{t} ({n} pieces)")).format(
            n=leaves["count"].text, t=leaves["object"].text
        )
    pieces = [
        ROLES[role][2].format(v=leaf.text) for role, leaf in leaves.items() if role not in ("agent", "object", "count")
    ]
    pieces = draw.shuffled(pieces)
    who = leaves["agent"].text
    lead = pieces.pop() if pieces and draw.chance(0.3) else ""
    rest = (" " + " ".join(pieces)) if pieces else ""
    form = draw.random()
    if form < 0.5:
        core = f"{who} {past} {thing}{rest}"
    elif form < 0.75:
        core = f"{thing} was {done} by {who}{rest}"
    elif form < 0.85:
        core = f"it was {who} who {past} {thing}{rest}"
    elif form < 0.93:
        core = f"{who}, the {agent.replace('_', ' ')}, {past} {thing}{rest}"
    else:
        core = f"{thing} was {done}{rest}, all by {who}"
    text = f"{lead}, {core}" if lead else core
    return text[:1].upper() + text[1:] + draw.pick((".", ".", ".", "!"))


def clause_record(draw: Draw) -> tuple[Record, str]:
    """A record of one to three verbs and the text that tells them."""
    draw.language = "en"
    style_name = draw.pick(NAME_STYLES[:7])
    described = draw.pick((0.0, 0.0, 0.4, 1.0))
    verbs = draw.some(VERBS, draw.pick((1, 2, 2, 3, 3, 4)))
    asked = draw.integer(1, len(verbs))
    clauses = [make_clause(draw, verb, style_name, described, index < asked) for index, verb in enumerate(verbs)]
    nodes: list[Node] = []
    for clause in clauses:
        nodes += [leaf for leaf in clause.leaves.values() if leaf.asked]
    if not nodes:
        nodes = [clauses[0].leaves["agent"]]
        clauses[0].leaves["agent"].asked = True
    unique = {node.name: node for node in nodes}
    nodes = list(unique.values())
    sentences = [tell(draw, clause) for clause in draw.shuffled(clauses)]
    if draw.chance(0.4):
        sentences.insert(draw.integer(0, len(sentences)), draw.pick(FILLERS["en"]))
    body = draw.pick((" ", " ", "\n", "\n- ", "; ")).join(sentences)
    name = draw.pick(
        (
            "Facts",
            "Story",
            "Deal",
            "Report",
            "Record",
            "News",
            "Note",
            "".join(part for part in draw.word("noun", "en").title() if part.isalpha()) or "Thing",
        )
    )
    if draw.chance(0.5):
        nodes = draw.shuffled(nodes)
    return Record(name, name, nodes, list(nodes)), body
