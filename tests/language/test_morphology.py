"""Morphology: lemmas of surface forms, one spelling for variants, forms for re-writing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from imprimatur.language.morphology import Form, inflect, lemmas, normalise


@pytest.mark.parametrize(
    ("surface", "lemma", "pos"),
    [
        ("rose", "rise", "v"),
        ("rose", "rose", "n"),
        ("fed", "feed", "v"),
        ("was", "be", "v"),
        ("born", "bear", "v"),
        ("born", "born", "a"),
        ("lay", "lie", "v"),
        ("lay", "lay", "v"),
        ("wrote", "write", "v"),
        ("led", "lead", "v"),
        ("found", "find", "v"),
        ("found", "found", "v"),
        ("empties", "empty", "v"),
        ("flowing", "flow", "v"),
        ("labelled", "label", "v"),
        ("mice", "mouse", "n"),
        ("valleys", "valley", "n"),
        ("wolves", "wolf", "n"),
        ("women", "woman", "n"),
        ("Cities", "city", "n"),
        ("longest", "long", "a"),
        ("drainage basins", "drainage basin", "n"),
        ("bodies of water", "body of water", "n"),
        ("mothers-in-law", "mother-in-law", "n"),
        ("gave up", "give up", "v"),
    ],
)
def test_lemmas(surface: str, lemma: str, pos: str) -> None:
    """Irregular and regular forms and expressions lead to their lemma."""
    assert (lemma, pos) in lemmas(surface)


def test_no_lemma_from_a_mere_ending() -> None:
    """Endings are not taken off function words, and an unknown word has no lemma."""
    assert lemmas("was") == {("be", "v")}
    assert ("ha", "n") not in lemmas("has")
    assert ("u", "n") not in lemmas("us")
    assert lemmas("xyzzys") == frozenset()
    assert lemmas("") == frozenset()


@pytest.mark.parametrize(
    ("british", "american"),
    [
        ("metre", "meter"),
        ("kilometres", "kilometers"),
        ("colour", "color"),
        ("colouring", "coloring"),
        ("Centre", "center"),
        ("centred", "centered"),
        ("labelled", "labeled"),
        ("travelling", "traveling"),
        ("organisations", "organizations"),
        ("colonised", "colonized"),
        ("analysed", "analyzed"),
        ("catalogue", "catalog"),
        ("defence", "defense"),
        ("licence", "license"),
        ("practise", "practice"),
        ("programme", "program"),
        ("harbour", "harbor"),
        ("three-storey", "three-story"),
        ("haemoglobin", "hemoglobin"),
        ("fulfil", "fulfill"),
        ("skilful", "skillful"),
        ("plough", "plow"),
        ("mould", "mold"),
        ("draught", "draft"),
        ("sulphur", "sulfur"),
        ("cheque", "check"),
        ("tyres", "tires"),
        ("theatre", "theater"),
        ("grey", "gray"),
        ("towards", "toward"),
        ("colourise", "colorize"),
    ],
)
def test_spellings(british: str, american: str) -> None:
    """British and American spellings come out equal, and American ones stay."""
    assert normalise(british) == normalise(american) == american


@pytest.mark.parametrize(
    "word",
    [
        "four",
        "hour",
        "does",
        "goose",
        "rise",
        "premise",
        "tour",
        "source",
        "poem",
        "council",
        "route",
        "couple",
        "double",
        "county",
        "mount",
        "south",
        "youth",
        "coast",
        "money",
        "valley",
        "please",
        "place",
        "race",
        "phone",
        "shoe",
        "aerial",
        "mouse",
        "all",
        "call",
        "fell",
        "control",
        "once",
        "prince",
        "ice",
        "advice",
        "advise",
        "fence",
        "hence",
        "gypsy",
        "practice",
        "promise",
        "exercise",
        "surprise",
        "otherwise",
        "wise",
        "colony",
        "full",
        "course",
        "court",
        "flour",
        "pour",
    ],
)
def test_other_words_stay(word: str) -> None:
    """What looks like a British spelling and is none is left alone."""
    assert normalise(word) == word


@given(st.one_of(st.text(), st.from_regex(r"[a-z]{1,8}(our|tre|ise|lled|ogue|ence|s)", fullmatch=True)))
def test_normalising_twice_changes_nothing(word: str) -> None:
    """A normalised word is its own normal form."""
    once = normalise(word)
    assert normalise(once) == once


@pytest.mark.parametrize(
    ("lemma", "third", "past", "participle", "present"),
    [
        ("rise", "rises", "rose", "risen", "rising"),
        ("empty", "empties", "emptied", "emptied", "emptying"),
        ("flow", "flows", "flowed", "flowed", "flowing"),
        ("play", "plays", "played", "played", "playing"),
        ("be", "is", "was", "been", "being"),
        ("have", "has", "had", "had", "having"),
        ("go", "goes", "went", "gone", "going"),
        ("lie", "lies", "lay", "lain", "lying"),
        ("run", "runs", "ran", "run", "running"),
        ("stop", "stops", "stopped", "stopped", "stopping"),
        ("occur", "occurs", "occurred", "occurred", "occurring"),
        ("refer", "refers", "referred", "referred", "referring"),
        ("offer", "offers", "offered", "offered", "offering"),
        ("visit", "visits", "visited", "visited", "visiting"),
        ("travel", "travels", "traveled", "traveled", "traveling"),
        ("compel", "compels", "compelled", "compelled", "compelling"),
        ("control", "controls", "controlled", "controlled", "controlling"),
        ("develop", "develops", "developed", "developed", "developing"),
        ("mix", "mixes", "mixed", "mixed", "mixing"),
        ("pass", "passes", "passed", "passed", "passing"),
        ("see", "sees", "saw", "seen", "seeing"),
        ("free", "frees", "freed", "freed", "freeing"),
        ("picnic", "picnics", "picnicked", "picnicked", "picnicking"),
        ("quiz", "quizzes", "quizzed", "quizzed", "quizzing"),
        ("give up", "gives up", "gave up", "given up", "giving up"),
    ],
)
def test_verb_forms(lemma: str, third: str, past: str, participle: str, present: str) -> None:
    """Verbs take their endings by rule, and irregular ones their own forms."""
    forms = (Form.THIRD_PERSON, Form.PAST, Form.PAST_PARTICIPLE, Form.PRESENT_PARTICIPLE)
    assert tuple(inflect(lemma, "v", form) for form in forms) == (third, past, participle, present)


@pytest.mark.parametrize(
    ("lemma", "plural"),
    [
        ("river", "rivers"),
        ("city", "cities"),
        ("valley", "valleys"),
        ("church", "churches"),
        ("box", "boxes"),
        ("wolf", "wolves"),
        ("woman", "women"),
        ("policeman", "policemen"),
        ("human", "humans"),
        ("species", "species"),
        ("drainage basin", "drainage basins"),
        ("body of water", "bodies of water"),
        ("mother-in-law", "mothers-in-law"),
    ],
)
def test_plurals(lemma: str, plural: str) -> None:
    """Nouns take their plural at the head."""
    assert inflect(lemma, "n", Form.PLURAL) == plural


@pytest.mark.parametrize(("pos", "form"), [("n", Form.PAST), ("v", Form.PLURAL), ("a", Form.PLURAL), ("r", Form.PAST)])
def test_a_form_that_is_not_there(pos: str, form: Form) -> None:
    """Asking for a form that a part of speech has not is an error that says which there are."""
    with pytest.raises(ValueError, match="has no form"):
        inflect("river", pos, form)


@pytest.mark.parametrize(
    "verb",
    [
        "flow",
        "rise",
        "carry",
        "visit",
        "occur",
        "travel",
        "label",
        "control",
        "feed",
        "build",
        "meet",
        "pass",
        "lie",
        "play",
    ],
)
@pytest.mark.parametrize("form", [form for form in Form if form is not Form.PLURAL])
def test_forms_lead_back(verb: str, form: Form) -> None:
    """What ``inflect`` makes of a verb, ``lemmas`` leads back to it."""
    assert (verb, "v") in lemmas(inflect(verb, "v", form))


@given(st.text(min_size=1), st.sampled_from(sorted(Form)))
def test_any_text_is_taken(text: str, form: Form) -> None:
    """No text makes a function crash."""
    assert isinstance(lemmas(text), frozenset)
    assert isinstance(inflect(text, "n" if form is Form.PLURAL else "v", form), str)


def test_hostile_length() -> None:
    """A word of a megabyte is handled at once."""
    word = "ourise" * 170_000
    assert lemmas(word) == frozenset()
    assert normalise(word) == word
    assert inflect(word, "v", Form.PAST) == word + "d"
    assert inflect(word, "n", Form.PLURAL) == word + "s"
