"""The forms of frequent English verbs, as data: what may be a finite verb, and what only looks like one.

A missed verb leaves a claim coarser, which is safe; a noun taken for a verb makes a fragment. So a form that is
doubtful has to be earned by its neighbours, and the families differ in what has to stand there.
"""

from __future__ import annotations

import re

_COMMON = (
    "accept add affect allow amount appear apply arrive ask attach average avoid book build buy call "
    "cancel carry change charge check claim complain close come compare complete confirm connect contain "
    "continue convert cost cover create credit deliver depart depend deploy describe die differ drop "
    "earn enable end ensure equal exceed exit expect expire explain fail fall feature fetch find finish fit "
    "fix follow gain give go grow handle happen help hold import improve include increase indicate "
    "install involve issue join keep lack land last launch lead leave lie limit list load log lose "
    "lower make mark match mean measure mention merge miss move need note number offer open operate order "
    "own pass pay peak permit place plan point post praise prevent process produce promise protect provide "
    "publish put raise range rank reach read receive recommend record reduce refer refund reject "
    "release remain remove renew replace reply report require reserve resolve respond restart return "
    "rise run save say scale schedule score sell send serve set settle ship show shrink sign sit sleep "
    "slip spend stand start state stay stop store suggest supply support switch take tell throw "
    "time total trigger turn update upgrade use vary wait want warn weigh work yield"
).split()
# Verbs that take no object: their past forms are never participles behind a noun.
_INTRANSITIVE = (
    "abound accrue agree apologise apologize behave belong cease coincide comply consist cooperate "
    "correspond deteriorate diminish dip disagree disappear diverge drift elapse emerge endure err "
    "evolve exist fade falter fluctuate hesitate hover interact lessen linger loom materialise "
    "materialize migrate occur originate persist plummet prevail qualify react recede recover "
    "recur rely reside resurface retire seem soar specialise specialize stagnate strive succeed "
    "suffer suffice survive tend travel tumble vanish wane worsen"
).split()
# Verbs with an object: before a preposition their past form is a participle ("a sofa manufactured in Italy").
_TRANSITIVE = (
    "accelerate accommodate accompany accomplish achieve acknowledge acquire activate adapt adhere "
    "adjust administer admit adopt advertise advise affirm afford align allocate alter amend "
    "analyse analyze announce anticipate append appoint appreciate approve argue arrange assemble "
    "assert assess assign assume assure attain attend attract authorise authorize automate begin "
    "borrow bother breach bring broaden browse calculate cater celebrate certify choose circulate "
    "cite clarify classify collect combine commit communicate compensate compete compile comprise "
    "compute conceal conclude confine conform confuse consider constitute consult consume "
    "contribute convey correlate criticise criticize decide declare deduct deem define demonstrate "
    "deny depict derive descend deserve designate destroy detect determine develop devote dictate "
    "disable disclose discontinue discourage discover discuss display dispose disrupt dissolve "
    "distinguish distribute divide dominate donate ease educate eliminate embed emit emphasise "
    "emphasize employ empower enclose encourage encrypt endorse enforce engage enhance enjoy "
    "enlarge enlist enrich enrol enroll entail enter equip eradicate escalate establish evaluate "
    "examine exclude execute expand explore expose extend facilitate finalise finalize fly focus "
    "forbid foresee forget forward foster fulfil fulfill gather generate get govern hear heat hide "
    "identify ignore illustrate impair impede imply impose incorporate incur infer inform inherit "
    "inhibit initiate inject injure innovate inquire insist inspect inspire instruct integrate "
    "intend interpret interrupt introduce invalidate invest investigate invoke isolate justify lay "
    "learn lend let locate maintain manage maximise maximize mediate meet minimise minimize "
    "misplace modify motivate multiply narrow navigate necessitate negotiate nominate normalise "
    "normalize notify obey oblige observe obstruct obtain occupy offset omit oppose opt optimise "
    "optimize outgrow outnumber outpace outperform outweigh overlook oversee owe participate "
    "perceive perform pertain populate portray possess postpone pour practise precede preclude "
    "predict prefer prepare prescribe preserve presume prioritise prioritize procure prohibit "
    "prolong promote prove pursue quantify realise realize rebuild recite recognise recognize "
    "reconcile reconsider reconstruct redeem redesign refine reflect refresh refuse regain "
    "regulate reimburse reinforce reinstate reiterate rejoin relate relax relieve relocate "
    "remember remind render renovate reopen reorder repay replenish represent reproduce reschedule "
    "rescind resign resist restore restrict resubmit resume retain rethink retrieve reuse reveal "
    "revise revive revoke reword rotate satisfy see seek select shorten shut signify simplify skip "
    "solve stabilise stabilize stipulate streamline strengthen submit subscribe summarise "
    "summarize supersede supervise suppose suppress surpass surround suspend sustain sweep swell "
    "synchronise synchronize teach terminate think threaten tighten tolerate transcribe translate "
    "transmit transpose traverse uncover undercut undergo underlie undermine understand undertake "
    "unify uninstall unlock unsubscribe urge utilise utilize validate verify violate vouch waive "
    "warrant widen withdraw withhold withstand write"
).split()
# Like those, but adjectives as well: "the skies clear by noon" is not seen.
_ADJECTIVES_TOO = (
    "clean clear correct direct dry empty exempt free narrow secure separate slow subject warm welcome"
).split()
# Like those, but their form in -s is as often the plural of a noun: "five monitors with stands".
_NOUNS_IN_S = (
    "access account address advance aggregate aid aim answer approach assist associate attempt "
    "award balance ban bar base battle bend bet bid bill block blow board boast boost border "
    "bounce brand break brew bridge burn bypass cap cause caution centre challenge clock code "
    "combat command comment compound concern conduct conflict construct contact contest contract "
    "control cook coordinate copy count cross curb cut cycle damage debate debit decay decrease "
    "default defeat defect delay delete demand deposit design desire detail discharge discount "
    "dispatch dispute document double doubt download draft drain draw drill drink drive dump "
    "duplicate echo edit effect embrace encounter estimate exchange excuse exercise exhibit "
    "experience experiment export express extract face factor favor favour feed figure file fill "
    "filter finance fire flag flash flood force forecast form frame freeze fuel fund grade grant "
    "grasp guarantee guard guess guide halt hand harm head highlight hike hint hire hit honor "
    "honour hope host house impact implement influence insert intercept interest interface invite "
    "invoice judge kick label layer lease level licence license lift link lock love mandate "
    "manufacture map message mind mirror mix model monitor mount notice outline override pace pack "
    "paint park patch pause permit pick pilot plant play pledge plot plug poll pool practice "
    "present press price print profile profit program project prompt provision pull purchase push "
    "query question quote ramp rate recall redirect refill regard register relay remark remedy "
    "rent repair repeat request rescue research reset respect restock retry reverse review reward "
    "rewrite ride ring risk rival roll round route rule sample scan screen search seat sense "
    "service shape share shield shift shoot shop signal snap sort source span spare speed split "
    "sponsor spot spread spring stack stage stamp steal stick stock strain stress stretch strip "
    "structure study substitute suit sum supplement surface survey suspect swap tackle tag target "
    "test tie top touch tour track trail train transfer transform transit transition treat trend "
    "trim trip trust try twist type upload value veto view visit void volunteer vote watch wear "
    "win wish witness wonder wrap"
).split()
# Nouns and verbs too, but without an object: "sales surged by 4%".
_NOUNS_WITHOUT_OBJECT = (
    "act appeal campaign climb collapse commute compromise contrast crash deal decline escape flow "
    "function jump lag lapse leak live look march matter object overlap plunge proceed progress "
    "protest rebound resort rest retreat slide sound spike stall step struggle surge swing talk "
    "trade walk"
).split()
_DOUBLING = frozenset(
    "admit ban bar cancel chat commit compel confer control counsel cram debug defer deter drop dub embed emit "
    "enrol equip expel fit flag format fulfil grab hop incur infer jam jog label lag level log map model net "
    "occur omit opt outwit pad patrol permit pin plan plot plug pop prefer program quit rebut refer refit "
    "regret remit rip rob rub scan ship shop shrug skip slap slip slot snap span spot stem step stir stop "
    "strip submit sum swap tag tap tip top transfer transmit trap travel trim trip unplug unzip whip wrap zip".split()
)
_IRREGULAR_PAST = frozenset(
    "arose ate awoke became began bent bled blew bought broke brought built burnt came caught chose clung "
    "crept cut dealt did drank drew drove dug fed fell felt fled flew flung forbade foresaw forgave "
    "forgot fought found froze gave got grew had held hid hit hung kept knew laid lasted leapt learnt led left "
    "lent lost made meant met misread mistook outdid outgrew outran outsold overcame overran overrode oversaw "
    "overtook paid proved put ran rang read rebuilt redid reran rewrote rode rose said sang sank sat saw sent "
    "set shone shook shot showed shrank shut slept slid sold sought spent spoke sprang stole stood strode "
    "struck stuck swam swept swore swung taught thought threw told took tore undercut understood undertook "
    "underwent undid unwound upheld went were withdrew withheld withstood woke won wore wrote".split()
)


def _third_person(verb: str) -> str:
    if re.search(r"(?:[sxz]|ch|sh|o)$", verb):
        return verb + "es"
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + "s"


def _past(verb: str) -> set[str]:
    if verb.endswith("e"):
        return {verb + "d"}
    if re.search(r"[^aeiou]y$", verb):
        return {verb[:-1] + "ied"}
    # "travelled" and "traveled"
    return {verb + "ed", verb + verb[-1] + "ed"} if verb in _DOUBLING else {verb + "ed"}


def _past_forms(verbs: list[str]) -> frozenset[str]:
    return frozenset(form for verb in verbs for form in _past(verb))


_BARE = [*_INTRANSITIVE, *_NOUNS_WITHOUT_OBJECT]
_WITH_OBJECT = [*_TRANSITIVE, *_ADJECTIVES_TOO, *_NOUNS_IN_S]

BASE_FORMS = frozenset([*_COMMON, *_BARE, *_WITH_OBJECT, "have"])
THIRD_PERSON = frozenset(map(_third_person, [*_COMMON, *_BARE, *_WITH_OBJECT]))
PAST = _past_forms([*_COMMON, *_BARE, *_WITH_OBJECT]) | _IRREGULAR_PAST
BASE_OF = {_third_person(verb): verb for verb in (*_COMMON, *_BARE, *_WITH_OBJECT)}
"""Base forms by their third person: "close" by "closes"."""
NEVER_PASSIVE = _past_forms(
    [
        *_BARE,
        "arrive",
        "expire",
        "happen",
        "land",
        "stay",
        "depart",
        "fail",
        "start",
        "finish",
        "end",
        "change",
        "improve",
        "increase",
    ]
)
"""Past forms that go with "has", never with "is": "it's expired"."""
PARTICIPLES_TOO = _past_forms(_WITH_OBJECT) - _past_forms(_COMMON)
"""Past forms that are finite only where no preposition follows."""
PLURALS_TOO = frozenset(map(_third_person, [*_NOUNS_IN_S, *_NOUNS_WITHOUT_OBJECT]))
"""Third-person forms that are finite only before an object."""
NOUNS_TOO = PLURALS_TOO | frozenset(
    "adds books calls changes charges checks claims costs credits drops ends exits features fixes gains "
    "imports increases issues lands leads limits lists loads logs marks matches measures moves needs "
    "notes numbers offers orders passes plans points posts processes ranges ranks reads records refunds "
    "releases replies reports reserves results returns rises runs saves scales schedules "
    "scores sets ships shows signs stands starts states stays stops stores supplies supports switches "
    "times totals triggers turns updates upgrades uses works means places".split()
)
"""Third-person forms that are plural nouns as well."""
ONLY_VERBS = (
    BASE_FORMS
    - {v for v in BASE_FORMS if _third_person(v) in NOUNS_TOO}
    - frozenset(_ADJECTIVES_TOO)
    - {"place", "report", "time"}
)
"""Base forms that can only be verbs: "The points expire", "The fees depend on …"."""
