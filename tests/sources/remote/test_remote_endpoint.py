"""The client for endpoints, against a real Oxigraph server where there is one, and against one in the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from made_endpoint import WORLD, loopback, oxigraph, oxigraph_binary, served

from imprimatur.errors import InputError
from imprimatur.sources.graph.terms import XSD, RdfLiteral
from imprimatur.sources.remote import queries
from imprimatur.sources.remote.endpoint import Endpoint, TooMany
from imprimatur.sources.remote.settings import Limits, Namespaces, Remote
from imprimatur.sources.remote.subgraph import local
from imprimatur.sources.remote.times import settled

WD, WDT = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
QUICK = Limits(pause=0.0, seconds=10, total=20)


@pytest.fixture(scope="module", params=["oxigraph", "loopback"])
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of an endpoint over the small world."""
    if request.param == "loopback":
        with served(loopback()) as server:
            yield server.url
        return
    binary = oxigraph_binary()
    if binary is None:
        pytest.skip("no Oxigraph server here: pip install oxigraph, or name its command in OXIGRAPH")
    with oxigraph(binary, tmp_path_factory.mktemp("oxigraph")) as address:
        yield address


@pytest.fixture
def endpoint(url: str) -> Endpoint:
    """Its client."""
    return Endpoint(Remote(url=url, limits=QUICK))


def test_facts_of_a_thing_and_those_that_point_at_it(endpoint: Endpoint) -> None:
    """Things and dates are there; keys of catalogues, blank nodes and statement nodes are not."""
    found = set(endpoint.facts(WD + "Q1"))
    born = RdfLiteral("1952", XSD + "gYear")
    things = {(WD + "Q1", WDT + "P20", WD + "Q10"), *((WD + "Q1", WDT + "P106", WD + q) for q in ("Q20", "Q21"))}
    assert found == {*things, (WD + "Q1", WDT + "P569", born)}
    assert {s for s, _, _ in endpoint.facts(WD + "Q10", incoming=True)} == {WD + "Q1", WD + "Q2", WD + "Q30"}
    assert endpoint.facts(WD + "Q99") == ()


def test_a_time_is_as_exact_as_it_is_known_to_be(endpoint: Endpoint) -> None:
    """A day stays a day, or is less where that is known; a century and a first of January that may be one are none."""
    assert [o for _, _, o in endpoint.facts(WD + "Q5")] == [RdfLiteral("1950-06", XSD + "gYearMonth")]
    assert [o for _, p, o in endpoint.facts(WD + "Q2") if p.endswith("P569")] == [
        RdfLiteral("1952-03-11", XSD + "date")
    ]
    assert endpoint.facts(WD + "Q3") == () == endpoint.facts(WD + "Q4")


def test_names_are_found_in_both_directions(endpoint: Endpoint) -> None:
    """By label and by other names, in the languages that are asked for; those of properties by what stands for them."""
    assert endpoint.named("Ann Marlow") == endpoint.named("A. Marlow") == (WD + "Q1",)
    assert endpoint.named("Anne Marlow") == () == endpoint.named("Nobody")
    words = endpoint.words([WD + "Q1", WD + "Q10", WD + "Q99"])
    assert (words[WD + "Q1"].label, words[WD + "Q1"].aliases) == ("Ann Marlow", ("A. Marlow",))
    assert set(words) == {WD + "Q1", WD + "Q10"}
    (told,) = endpoint.property_words([WDT + "P20"]).values()
    assert (told.label, told.aliases) == ("place of death", ("died in",))


@pytest.mark.parametrize("language", ["it", "IT"])
def test_labels_are_of_the_best_language_that_has_one(url: str, language: str) -> None:
    """Where the first has none, the next one's."""
    endpoint = Endpoint(Remote(url=url, limits=QUICK, languages=(language, "en")))
    words = endpoint.words([WD + "Q10", WD + "Q20"])
    assert (words[WD + "Q10"].label, words[WD + "Q20"].label) == ("Roma", "painter")
    assert words[WD + "Q10"].aliases == ("Rome",)


def test_pages_make_one_whole(url: str) -> None:
    """The same facts, whatever the length of a page; each page is asked for once."""
    whole = Endpoint(Remote(url=url, limits=QUICK)).facts(WD + "Q1")
    for page in (1, 2, 3):
        endpoint = Endpoint(Remote(url=url, limits=replace(QUICK, page=page)))
        assert endpoint.facts(WD + "Q1") == whole
        assert endpoint.asked > 2


def test_a_thing_with_too_many_facts_is_left_out_whole(url: str) -> None:
    """Not a part of them is given, and the others are unharmed."""
    endpoint = Endpoint(Remote(url=url, limits=replace(QUICK, rows=2)))
    with pytest.raises(TooMany):
        endpoint.facts(WD + "Q1")
    found = local(endpoint, [WD + "Q1", WD + "Q30"])
    assert found.left_out == (WD + "Q1",)
    assert {s for s, _, _ in found.facts} == {WD + "Q30"}


def test_the_subgraph_is_readable_triples(endpoint: Endpoint) -> None:
    """Every line is one triple, names with quotes and brackets in them included."""
    found = local(endpoint, [WD + "Q1", WD + "Q30"], incoming=True)
    lines = list(found.lines())
    parsed = [next(iter(ox.parse(line.encode(), format=ox.RdfFormat.N_TRIPLES))) for line in lines]
    assert len(set(lines)) == len(parsed)
    labels = {quad.object.value for quad in parsed if quad.predicate.value.endswith("#label")}
    assert {"Ann Marlow", 'the "old" one }', "Rome", "painter", "place of death", "date of birth"} <= labels


@pytest.mark.parametrize(
    ("time", "precision", "is_it"),
    [
        ("1952-03-11T00:00:00Z", None, ("1952-03-11", "date")),
        ("1952-03-01T00:00:00Z", None, ("1952-03", "gYearMonth")),
        ("1952-01-01T00:00:00Z", None, None),
        ("1952-01-01T00:00:00Z", 11, ("1952-01-01", "date")),
        ("1952-01-01T00:00:00Z", 10, ("1952-01", "gYearMonth")),
        ("1952-01-01T00:00:00Z", 9, ("1952", "gYear")),
        ("1952-01-01T00:00:00Z", 8, None),
        ("-0043-03-15T00:00:00Z", 11, ("-0043-03-15", "date")),
        ("1952-03-11T12:00:00Z", 11, None),
        ("in 1952", 11, None),
    ],
)
def test_times_and_their_precisions(time: str, precision: int | None, is_it: tuple[str, str] | None) -> None:
    """Days, months and years; nothing that is less exact, or that is no time."""
    found = settled(RdfLiteral(time, XSD + "dateTime"), precision)
    assert found == (None if is_it is None else RdfLiteral(is_it[0], XSD + is_it[1]))


HOSTILE = (
    'x" } { ?s ?p ?o',
    'x"@en } UNION { ?s ?p ?name } #',
    "} LIMIT 1 #",
    "SERVICE <http://127.0.0.1:9/> { ?a ?b ?c }",
    "'''",
    '"""',
    "?s",
    "; DROP ALL",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_never_becomes_a_part_of_the_query(endpoint: Endpoint, name: str) -> None:
    """What looks like syntax is looked for as a name, and nothing bears it."""
    assert endpoint.named(name) == ()


def test_a_name_with_syntax_in_it_is_found(endpoint: Endpoint) -> None:
    """Quotes and brackets are a part of it."""
    assert endpoint.named('the "old" one }') == (WD + "Q30",)


@pytest.mark.parametrize("name", ["", "a\\", "\\u0022 }", "a\nb", "a\x00", "\ud800", "x" * 501])
def test_names_that_cannot_be_written_plainly_are_refused(name: str) -> None:
    """No escape by code point is ever written: they are put in place before a query is read."""
    with pytest.raises(InputError):
        queries.text(name, "en")


@pytest.mark.parametrize(
    "iri",
    [
        "",
        "Q1",
        "wd:Q1",
        "http://x y",
        "http://x>",
        "http://x\\u003E",
        "http://x}",
        'http://x"',
        "http://x\n",
        "file:///x",
    ],
)
def test_iris_that_cannot_be_written_plainly_are_refused(iri: str) -> None:
    """An absolute web IRI without brackets, quotes and spaces, or none."""
    with pytest.raises(InputError):
        queries.iri(iri)


@given(st.text(min_size=1, max_size=60))
@example('"@en . ?s ?p ?o } #')
@example("\\")
def test_any_text_stays_one_literal(name: str) -> None:
    """Whatever it holds, a name is refused or is read back as it was by another reader of queries."""
    try:
        query = queries.named(name, ("en",), Namespaces())
    except InputError:
        return
    assert "\\u" not in query
    store = ox.Store()
    thing = ox.NamedNode(WD + "Q1")
    store.add(
        ox.Quad(thing, ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label"), ox.Literal(name, language="en"))
    )
    found = store.query(query)
    assert isinstance(found, ox.QuerySolutions)
    assert [row["s"] for row in found] == [thing]


def test_answers_are_kept_and_checked(tmp_path: Path) -> None:
    """The second time nothing is asked; a damaged answer is asked for again, and so is one of another server."""
    with served(loopback(WORLD)) as server:
        remote = Remote(url=server.url, limits=QUICK, cache=tmp_path)
        first = Endpoint(remote)
        facts = first.facts(WD + "Q1")
        again = Endpoint(remote)
        assert (again.facts(WD + "Q1"), again.asked, again.kept) == (facts, 0, first.asked)
        for path in tmp_path.iterdir():
            path.write_bytes(path.read_bytes() + b" ")
        damaged = Endpoint(remote)
        assert (damaged.facts(WD + "Q1"), damaged.asked) == (facts, first.asked)
        other = Endpoint(replace(remote, url=server.url + "?graph=1"))
        assert (other.facts(WD + "Q1"), other.kept) == (facts, 0)
    head = json.loads(next(tmp_path.iterdir()).read_bytes().partition(b"\n")[0])
    assert set(head) == {"url", "query", "sha256"}


def test_the_server_is_told_who_asks_and_nothing_else(tmp_path: Path) -> None:
    """The headers are those of the protocol, with the agent's name."""
    with served(loopback(WORLD)) as server:
        Endpoint(Remote(url=server.url, limits=QUICK, agent="tests/1 (me@example.org)")).named("Rome")
        (headers, query), *_ = server.seen
    assert headers["User-Agent"] == "tests/1 (me@example.org)"
    assert set(headers) <= {
        "Host",
        "Accept",
        "Accept-Encoding",
        "Content-Type",
        "Content-Length",
        "Connection",
        "User-Agent",
    }
    assert query.startswith("SELECT DISTINCT ?s")
