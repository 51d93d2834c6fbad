"""Words that make a true sentence say something that nothing bears out, by how they are put in (see ``mutations``).

Nothing that reads answers knows these lists: they are here to be withheld. Hedges, discourse markers and other words
that the design lets pass are not among them.
"""

from __future__ import annotations

__all__ = [
    "ACTIONS",
    "ADDED",
    "BEFORE_NOUNS",
    "BEFORE_VERBS",
    "COUNTED",
    "NAMED",
    "PREFIXES",
    "RELATED",
    "TURNED",
    "UNITS",
]

BEFORE_VERBS = {
    "negator": "not|never|no longer|hardly|scarcely|rarely|seldom|not even|not only|not always|by no means|never once",
    "adverb": (
        "formerly|partly|once|almost never|briefly|mostly|largely|indirectly|secretly|seasonally|only|reluctantly|"
        "falsely|twice|temporarily|nominally|initially|annually|alone|exclusively|previously|"
        "intermittently|wrongly|first|last|underground|unofficially|jointly|personally|illegally|"
        "posthumously|originally|slowly|quickly|narrowly|officially|barely|half|equally|occasionally"
    ),
    "modal": "will|would|could|should have|should|used to|will soon|could have|was going to|"
    "failed to|refused to|tried to",
}
BEFORE_NOUNS = {
    "quantifier": "every|half|half of|some of|most of|no|few|only|all but|none of|hardly any|either|any",
    "adjective": (
        "former|upper|lower|second|so-called|other|lesser|new|fake|old|would-be|late|future|double|average|minimum|"
        "maximum|unofficial|rival|lost|inner|outer|proposed|first|last|oldest|longest|largest|smallest|great|"
        "third|main|only|northern|southern|western|eastern|navigable|annual|deepest|famous|secret|mean|approximate|"
        "seasonal|ancient|modern|original|sole|principal|artificial|underground|shared|joint|alternative|dry|muddy"
    ),
    "noun": (
        "stone|tax|summer|winter|bridge|dam|village|railway|school|family|border|county|city|name|bank|copy|"
        "tourist|toll|steam|iron|rock|capital|flood|title|deputy"
    ),
    "number": "three|seventeen|45|2|1,200|a dozen|several hundred|0.5|twenty-one|99",
}
RELATED = (
    *("copy", "critic", "colour", "rival", "width", "owner", "uncle", "deputy", "nickname", "closure", "repair"),
    *("model", "opponent", "neighbour", "enemy", "namesake", "weight", "age", "price", "bridge", "student", "tailor"),
)
ACTIONS = (
    *("avoids", "lost", "rejected", "criticised", "sold", "destroyed", "imitates", "outlived", "demolished", "faces"),
    *("funded", "left", "copied", "named", "hated", "opposes", "surrounds", "polluted", "predates", "visited"),
)
ADDED = (
    *("near Springfield", "until 1950", "for ten years", "in part", "together with Vashmere", "unlike most"),
    *("in winter", "and nothing else", "alone", "in name only", "instead of Quenbury", "twice"),
    *("except in spring", "as a rule", "more than ever", "before it was moved", "underground", "if it rains"),
    *("for half of the year", "against the odds", "but not directly", "with its twin", "at night", "in 1850"),
    *("after 1990", "by accident", "for the second time", "at least twice", "unless it rains", "in reverse"),
    *("and was later demolished", "and is the longest in the world", "but only in theory", "in a dream"),
    *("which is a lie", "and so does every other one", ", not the other way round", "or not", "except on Sundays"),
    *("since 1999", "in the 12th century", "between 2001 and 2003", "from above", "in 3 ways", "to the north"),
    *("at its widest", "on average", "at most times", "upstream", "on the left", "per year", "a day", "per capita"),
    *("(1066)", "(12 m)", "(in part)", "(formerly)", "(not always)", "(see Vashmere)", "(second from left)"),
    *("on 3 May 1871", "in the 1930s", "before 1700", "for 87 km", "within 3 miles", "at 1,200 m", "with 4 bridges"),
    *("; it cost $12", ", a tunnel", ", its only rival", ", the oldest of them", "— allegedly the shortest ever"),
    *(
        "but flopped in 1975",
        "and has 99 bridges",
        ", as a child",
        ", in its dreams",
        "as well as Quenbury",
        "with Vashmere",
    ),
    *("or Vashmere", "rather than Vashmere", "like Vashmere", "via Vashmere", "north of Vashmere", "except Vashmere"),
    *("because it was cheap", "when it was young", "without permission", "for the first time", "by proxy", "again"),
)
PREFIXES = (
    *("It is false that", "Nobody believes that", "It is doubtful whether", "Contrary to popular belief,"),
    *("If it rains,", "Only in spring,", "It is not true that", "It is a myth that", "Critics deny that"),
    *("Until recently,", "In theory,", "Unlike its neighbours,", "Were it not for luck,", "It was once thought that"),
    *("For half of the year,", "Before noon,", "It is impossible that", "In no sense is it true that", "Rarely,"),
    *("Few people think that", "It remains to be seen whether", "In a novel,", "Instead of the plan,", "In 1850,"),
    *("Not only that:", "Not", "Some day", "Without a permit,", "It is no longer the case that", "It used to be that"),
    *("There is no evidence that", "Nothing suggests that", "Far from it:", "In another world,", "After the war,"),
    *("Thanks to Vashmere,", "In Vashmere,", "North of Vashmere,", "Since 1999,", "On 3 May 1871,", "For 87 km,"),
    *("Every year,", "With 4 bridges,", "At 1,200 m,", "Unless it rains,", "Like Vashmere,", "Besides Vashmere,"),
    *("As a child,", "By accident,", "To some,", "Half of", "One of the sons of", "The rival of", "The upper part of"),
    *("Neither Vashmere nor", "Vashmere and", "Either Vashmere or", "Not Vashmere but", "Nearly all of", "A part of"),
)
#: Units; those of one line are the same.
UNITS = (
    ("km", "kilometres", "kilometers"),
    ("miles", "mi", "mile"),
    ("m", "metres", "meters"),
    ("feet", "ft"),
    ("km²", "square kilometres", "square kilometers"),
    ("square miles", "sq mi"),
    ("cubic feet per second",),
    ("cubic metres per second", "cubic meters per second"),
    ("yards",),
    ("inches",),
    ("acres",),
    ("hectares", "ha"),
    ("kg",),
    ("tonnes",),
    ("minutes",),
    ("hours",),
    ("days",),
    ("years",),
    ("percent", "%"),
    ("degrees",),
    ("dollars",),
    ("people",),
)
TURNED = {
    "from": "against",
    "to": "against",
    "into": "out of",
    "above": "below",
    "below": "above",
    "before": "after",
    "after": "before",
    "north": "south",
    "south": "north",
    "east": "west",
    "west": "east",
    "left": "right",
    "right": "left",
    "with": "without",
    "by": "without",
    "in": "outside",
    "through": "around",
    "of": "beside",
    "at": "beyond",
    "born": "buried",
    "source": "mouth",
    "mouth": "source",
    "rises": "ends",
    "died": "lived",
    "long": "wide",
    "longest": "shortest",
    "length": "width",
    "and": "but not",
}
COUNTED = (
    *("twice {}", "half of {}", "not {}", "never {}", "less than half of {}", "{} less than expected", "{} times {}"),
    *("a third of {}", "{} or so more", "{} a year", "every {}", "the last {}", "the first {}", "{} out of 9999"),
    *("under half of {}", "no {}", "minus {}", "a mere third of {}", "{} too much", "{} per capita"),
)
NAMED = (
    *("{a} and {b}", "{b} and {a}", "{a} or {b}", "{a}, {b} and Vashmere", "{a} near {b}", "{b}'s {a}", "{a}'s {b}"),
    *("{a} of {b}", "{a} in {b}", "{a}, a part of {b},", "{a}, not {b},", "{a} (near {b})", "{a} (formerly {b})"),
    *("{a} ({b})", "{a} rather than {b}", "{a} with {b}", "{a} via {b}", "{a}, the rival of {b},", "{a}'s rival"),
    *(
        "{a}, once {b},",
        "{a}–{b}",
        "{a}'s copy",
        "the rival of {a}",
        "the banks of {a}",
        "New {a}",
        "{a} II",
        "{a} Jr.",
    ),
    *("the son of {a}", "people near {a}", "the north of {a}", "parts of {a}", "not {a}", "everything but {a}"),
    *("{b} {a}", "{a} {b}", "either {a} or {b}", "neither {a} nor {b}", "{b}", "{b}, like {a},", "only {a}"),
    *(
        "{a} as well as {b}",
        "{a}, {b},",
        "{a}, which is near {b},",
        "{a}, where {b} died,",
        "{a} before {b}",
        "half of {a}",
    ),
    *("the upper {a}", "the so-called {a}", "the other {a}", "no {a}", "every {a}", "{a}-like things"),
)
