"""The forms of irregular English verbs, which no stemmer brings together: flown is of fly."""

from __future__ import annotations

from affidavit.ledger.words import stem

_FORMS = """
    arise arose arisen; become became; begin began begun; bend bent; bleed bled; blow blew blown; break broke broken; bring brought;
    build built; burn burnt burned; burst; buy bought; catch caught; choose chose chosen; come came; cost; cut; deal dealt;
    draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten; fall fell fallen; feel felt; fight fought; find found;
    flee fled; fly flew flown; forget forgot forgotten; freeze froze frozen; get got gotten; give gave given; go went gone;
    grow grew grown; hear heard; hit; hold held; hurt; keep kept; lead led; leave left; lend lent; let; lose lost; make made;
    meet met; melt melted molten; pay paid; rise rose risen; run ran; see saw seen; sell sold; send sent; set; shake shook shaken;
    shrink shrank shrunk; shut; sink sank sunk; slide slid; spend spent; split; spread; spring sprang sprung; stand stood;
    steal stole stolen; stick stuck; strike struck; sweep swept; swell swelled swollen; take took taken; tear tore torn;
    throw threw thrown; wake woke woken; wear wore worn; win won; withdraw withdrew withdrawn; write wrote written; quit; read
"""
IRREGULAR = {
    form: forms.split()[0]
    for forms in _FORMS.replace("\n", " ").split(";")
    for form in forms.split()
}
"""Each form, with its base."""


def base_of(word: str) -> str:
    """The stem of a verb, whatever form it is in; of any other word its stem."""
    plain = word.casefold()
    return stem(IRREGULAR.get(plain, plain))
