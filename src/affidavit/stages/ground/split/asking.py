"""The phrases of requests, offers and plans, and of the lines that lead in lists of them, as data.

What these match is never held against the answer, so they are anchored and name their verbs.
"""

from __future__ import annotations

import re
from typing import Literal

_ABOUT_THE_WAY = (
    r"if|in case|should you|whenever|in order to|just to|so that|to [a-z]+|once|when|after|before|as soon as|until|"
    r"for|as for|regarding|per your|upon your|as (?:you )?(?:requested|asked|instructed)|with that|that way|first|next|then|now|meanwhile|in the meantime|alternatively|"
    r"otherwise|also|additionally|or|since you(?:['’]re| are)? (?:don['’]t|do not|didn['’]t|haven['’]t|can['’]t|aren['’]t|not|unsure|want|prefer|"
    r"would|['’]d)"
)
_BEFORE_A_COMMA = rf"(?:(?:{_ABOUT_THE_WAY})\b[^.!?]{{0,160}}?,\s)?"
# The condition ends before the main clause: "To sum up, I found two, which I can …" is no offer.
_NO_MAIN_CLAUSE = (
    r"(?:[^.!?,]|\.(?!\s)|(?<=\bvs)\.|,(?! (?:I|we|you|the|your|our|there|it|this|that)\b)){0,160}?"
)
_CONDITION = rf"(?:(?:{_ABOUT_THE_WAY})\b{_NO_MAIN_CLAUSE},?\s)?"


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


# What only the user can do for the agent: say, send, choose. "Press", "open" and "pack" are not here: a step
# of a manual is right or wrong.
_SAY = (
    r"(?:(?:re-?|double-)?confirm|provide|specify|clarify|indicate|share (?:your|the|it|that|this|these|any|with|both|which(?:ever)?|what(?:ever)?|an?|one|me|first|last|full|details|more)|(?:re-?)?send (?:me|us|over|along|your|both|either|"
    r"the (?:details|following|email|order|item|info\w*|new)|a (?:photo|picture|screenshot|copy))|give (?:me|us)(?! a (?:moment|second|sec|minute))|"
    r"tell (?:me|us)|(?:reply|respond)(?= (?:with|yes|no|here|to|by|[\"“'*])|\W*$|,)|answer (?:with|yes|the|these)|advise|describe (?:the|your|what)|verify (?:that|your)|"
    r"state (?:the|your|which|whether)|mention (?:the|your|which)|list (?:the|all|any|your|which|each)|"
    r"(?:choose|select|pick) (?:one|either|which|whether|how|what|from|between|a|an|your|the)|type [\"“'*]*(?:yes|no|confirm)|"
    r"say [\"“'*]*(?:yes|no|confirm|transfer)|let (?:me|us) know|(?:check|make sure) that (?:this|these|it|all|everything|your))"
)
_RECORD_LACKS = (
    r"we (?:do )?still (?:need|require|want) (?:the|an?|some|one|two|three|both) "
    r"(?:(?!(?:numbers?|names?|address(?:es)?|e-?mails?|phone|zip|codes?|ids?|dates?|confirmation|details?|info\w*|answers?|choice|decision|word|reply)\b)"
    r"[\w'’-]+ ){1,6}from you\b"
)
"""What a file lacks, "we still need the signed lease from you"; not what is asked for to go on, "the order number"."""
REQUEST = _any(
    rf"^{_BEFORE_A_COMMA}(?:also|just|simply|kindly|please|and|then|either|only|again|once)?[ ,]*{_SAY}(?![\w-]|:)",
    rf"^{_CONDITION}(?:I|we) (?:can|could)(?: also| then| instead| now)?:$",
    r"^any (?:other )?(?:preferences?|questions?|specific|particular)\b",
    r"^any (?:other )?(?:[\w-]+ ){0,2}(?:numbers?|details?|info\w*|reference|id|ids)\b.*\byou (?:might |may |can )?(?:have|remember|recall|know)\b",
    # "If you have the number, that would help"
    r"^if you (?:\w+ ){0,2}(?:have|know|remember|recall)\b.*, (?:it|that|this|these|those) (?:can|could|would|will|may|might) (?:\w+ )?(?:help|be helpful|be useful)",
    rf"^{_BEFORE_A_COMMA}you (?:can|could|may) (?:also |just |simply |instead )*(?:provide|share|confirm|specify|choose|pick(?! up\b)|name|indicate|(?:send|tell|give) (?:me|us))\b",
    r"^if you (?:\w+ ){0,2}have\b.*\b(?:will|would|can|could) (?:help|speed|make)\b",
    r"^.{0,300}\b(?:any|your|details?|info\w*|number|date)\b.{0,300}\b(?:would|could) (?:also )?help me (?:find|locate|identify|verify|look)\b[^.]*\W*$",
    r"^a (?:simple |quick |short )?[\"“”'‘’]?(?:yes|confirmation|reply)[\"“”'‘’]? (?:will (?:do|suffice|work)|is (?:enough|fine|all I need))\b",
    r"^(?:to (?:re)?confirm,? )?(?:that )?(?:there are )?no other (?:[\w-]+ ){0,2}(?:in [#\w-]+ )?(?:(?:that )?you(?:['’]d| would)? (?:want|like|wish|need)|needs? changes)\b",
    r"^(?:so )?we(?:['’]re| are) (?:all )?(?:set|good)\W*$",
    r"^you (?:agree|consent|understand|acknowledge|authori[sz]e)\b(?!.*\d)",
    r"^(?:take your time|no rush|there(?:'s|’s| is) no rush)\b",
    r"^(?:but )?(?:they|it|that|this)(?:'re|’re|'s|’s| are| is) (?:not (?:required|necessary|mandatory)|optional)\W*$",
    r"^.*\b(?:(?:should|shall) I|would you (?:like|prefer|want)(?: me)?(?: to)?)\W*$",
    r"^(?:it|this|that|they) (?:should|usually|typically|will|would) (?:looks?|starts?|begins?) (?:like|with)\b",
    r"^.*\bif you (?:can|could) (?:also )?(?:provide|share|send|confirm)\b",
    # A condition whose main clause is a question
    r"^(?:if|in case)\b[^?]*,\W*$",
    # "which of these you'd like instead", cut off from the request before it
    r"^(?:which|what|whether|how)\b.*\byou(?:(?:'d|’d| would) (?:like|prefer)| want| prefer| wish)\b",
    # What to answer, and to what: “Yes” to go ahead with the move
    r"^yes[\\\"”'’*]+,? to (?:proceed|continue|confirm|go ahead|authori[sz]e|approve|accept|agree|submit|start|cancel|book)\b",
    # "(yes/no)", "I'd like to confirm if this is the right one"
    r"^\(?(?:yes ?/ ?no|y ?/ ?n)\)?\W*$",
    rf"^{_CONDITION}(?:I|we)(?:'d|’d| would) (?:just )?(?:like|need|want) to (?:confirm|check|verify|ask|know|make sure) (?:if|whether|which|that you)\b",
    r"^(?:whenever|when|once) you(?:'re|’re| are) ready\b|^(?:is|are) (?:this|that|these|all of this|everything) (?:ok|okay|correct|right)\b",
)
# What the user may answer, put into the user's mouth: “Yes, book it.”
SAMPLE_REPLY = re.compile(
    r"[\"“'](?:yes|no|confirm)\b(?!.*\b(?:is|are|was|were|has|have|had|will|costs?)\b)[^\"”]*[\"”'.]+$",
    re.IGNORECASE,
)
OFFER = _any(
    rf"^{_CONDITION}(?:I|we) (?:can|could|am able to|are able to)(?: also| certainly| gladly| now| then| "
    r"definitely| happily| easily)? (?!now (?:see|find|locate)|only\b|see|confirm\b|tell you\b|find no|report|not\b|only see|say|assure|verify that|share that)\w+",
    rf"^{_CONDITION}(?:I|we)(?:'d|’d| would|'m|’m| am|'re|’re| are) (?:be |more than |always |very )*"
    r"(?:happy|glad|pleased|delighted) to (?!inform|confirm|report|tell|say|announce|let you know|share that|advise)",
    rf"^{_CONDITION}(?:just |simply |please |and )*(?:let (?:me|us) know|(?:message|ping|ask|tell|call on|come back to) (?:me|us)\b|say (?:the word|so|when)\b|"
    r"(?:drop|shoot|send|give) (?:me|us) (?:an? |your )?(?:line|note|message|shout|ping|nudge|heads[- ]up|holler|buzz)\b|(?:shout|holler|speak up|chime in)\b|keep (?:me|us) (?:posted|updated)\b|"
    r"feel free|don(?:'|’)t hesitate|reach out|"
    r"(?:reply|respond) (?:with |here|[\"“'])|get in touch)\b",
    rf"^{_CONDITION}(?:kindly |please |could you |can you )+(?!note|be aware|remember|keep in mind|be advised|see\b|"
    r"understand that|bear in mind|allow|expect|find\b)\w+",
    r"^(?:if|should) you (?:have any|need any|need (?:further|more)|have (?:other|further|more)|want|would like|"
    r"prefer|wish|'d like)\b(?!.*, (?:the|your|our|it|there|that|this|these|those|an?|they|he|she|its|his|her|their|all|both|each|(?-i:[A-Z][a-z]\w+) \w+|you(?:'ll|’ll| will| can| may| must| need))\b)",
    r"^(?:if|should) (?:you(?:'d|’d| would) (?:like|prefer)|you (?:need|want)|there(?:'s|’s| is) anything)\b.*, (?:just )?(?:say (?:the word|so)|I(?:'m|’m| am) here\b)",
    r"^would you (?:like|prefer)\b|^(?:do|did) you (?:want|wish|need)\b|^shall I\b|^should I\b|^may I\b|^want me\b|"
    r"^(?:can|could) (?:I|you|we)\b|^is there anything\b|^anything else\b|^what (?:else )?(?:can|may) I\b|"
    r"^how (?:can|may|else can) I\b|^how would you like\b",
)
SUGGESTION = _any(
    rf"^{_CONDITION}you (?:can|could|may|might)(?: also| then| instead| first)? try\b",
    # To begin anew is open to everybody: "You could then place a separate order"
    rf"^{_CONDITION}you (?:can|could|may|might)(?: also| then| instead| always| still)*(?: just| simply)? (?:place|make|start|submit|open|file|create|book|put in) (?:an? )?"
    r"(?:(?:brand )?new|separate|fresh|second|different) (?:order|booking|reservation|purchase|request|appointment|application|claim|ticket)"
    r"(?: (?:for|of|instead|again|later|afterwards?|separately|then|too)\b(?:(?! free\b| no\b| without\b)[ ,]+[\w'’-]+){0,7})?\W*$",
)
OTHER_LANGUAGES_OFFER = _any(
    r"\b(?:möchten|wollen|wünschen|brauchen|benötigen) sie\b.*\?|^(?:soll|kann|darf) ich\b|^ich (?:kann|könnte)\b(?!.*\b"
    r"(?:nicht|keine?n?|sehen|bestätigen)\b)|^(?:melden sie sich|geben sie mir|lassen sie mich wissen|bitte (?:nennen|"
    r"teilen|geben|bestätigen|senden|schicken|antworten|melden))|^(?:wenn|falls) sie (?:weitere|noch|möchten)\b",
    r"¿?\b(?:desea|quiere|necesita|le gustaría|prefiere|puedo|quieres|te gustaría)\b.*\?|^(?:puedo|podría|podemos)\b"
    r"(?!.*\b(?:confirmar|ver)\b)|^(?:por favor|no dude|avíseme|indíqueme|dígame|háganoslo saber|confírmeme)\b|"
    r"^si (?:desea|quiere|necesita|lo desea|prefiere|tiene (?:más|alguna))\b",
    r"\b(?:souhaitez|voulez|désirez|avez)-vous\b.*\?|^(?:puis-je|dois-je|je peux|je pourrais)\b(?!.*\bpas\b)|"
    r"^(?:veuillez|n(?:'|’)hésitez pas|dites-moi|faites-moi savoir|merci de)\b|^si vous (?:souhaitez|avez|voulez)\b",
    r"^(?:desidera|vuole|posso|vorrebbe|ha bisogno)\b|^(?:mi faccia sapere|non esiti|per favore|se (?:desidera|vuole|"
    r"ha bisogno))\b",
    r"^(?:deseja|gostaria|quer|precisa|posso)\b|^(?:por favor|me avise|avise-me|se (?:desejar|quiser|precisar))\b",
    r"^(?:wilt u|wil je|zal ik|kan ik|mag ik|ik kan)\b(?!.*\b(?:niet|geen)\b)|^(?:laat het me weten|laat me weten|aarzel "
    r"niet|als u (?:wilt|nog))\b",
)
# "We will be able to change it again" says what is possible, which a rule may deny; "I'll be able to help" does not.
_POSSIBLE = (
    r"(?:still |then |also |again )?be able to (?!help|assist|support|proceed|continue|look|check|find|locate|get|give|"
    r"provide|share|answer|move|see|tell|confirm|verify)\w"
)
PLAN = _any(
    rf"^{_CONDITION}(?:I|we)(?:'ll|’ll| will| shall)(?! (?:not|never)\b| {_POSSIBLE})\b",
    rf"^{_CONDITION}(?:I(?:'|’)m|I am|we(?:'|’)re|we are) (?:now |currently |just )?(?:going to|about to|checking|"
    r"looking|searching|proceeding|retrieving|pulling|working on|reviewing|verifying|processing|trying|planning|"
    r"transferring|connecting|escalating|bringing|(?:ready|prepared|all set|set) to)\b",
    r"^(?:you(?:'|’)re|you are) (?:now )?being (?:transferred|connected|escalated)\b",
    r"^(?:this|that|it|these|doing so|having (?:this|that|it))(?: \w+)? (?:will|would|'ll|can) (?:help|allow|enable|let) (?:me|us)\b",
    r"^(?:this |it |that )?helps? (?:me|us)\b",
    # "This would involve changing the item", as what is proposed
    r"^(?:this|that|it) would (?:involve|mean) \w+ing\b",
    r"^(?:because |since |as )?(?:I|we) (?:just |first |only |also )*wanted to (?:check|make sure|confirm|ask|verify|see|hear|get|let you)\b(?!.*\d)",
    rf"^{_CONDITION}let (?:me|us)\b(?! know)|^let(?:'|’)s\b",
    rf"^{_CONDITION}(?!{_RECORD_LACKS})(?:I|we)(?:'ll|’ll)? (?:just |first |only |still |also |do |kindly )*(?:have to\b|(?:need|want|intend|plan|wish)(?: to\b|"
    r" (?:your|the|a|some|you|one|more|this|that|explicit|confirmation)\b))(?!.*\bno\b)",
    # What the agent leaves undone: "I won't read the address here"
    rf"^{_CONDITION}(?:I|we)(?: will not|(?:'|’)ll not| won(?:'|’)t) (?:read|share|show|repeat|display|proceed|submit|start|go ahead|do anything|take any|make any)\b",
    r"^(?:and,? )?with your (?:confirmation|approval|permission|ok)\b",
    r"^(?:I|we) (?:must|have to|need to) (?:adhere|follow|stick|comply|abide)\b",
    r"^(?:I|we) (?:do not|don['’]t) need anything (?:else|more|further)\b",
    r"^(?:once|after|when) I have\b.*, I(?:'ll|’ll| will)\b|^(?:and )?(?:report|come|get) back\b|^(?:and )?the (?:\w+ ){0,3}I can \w+ for your\b",
    r"^(?:after|once|when|as soon as) you(?:'ve|’ve| have)? (?:confirm|approve|agree|reply)[^,.;]*, (?:I|we) (?:then |can )?(?:submit|process|proceed|place|send|start)\b",
    # What waits for the user's word: "Nothing will be changed until you confirm"
    r"^no (?:[\w-]+ ){0,2}(?:changes|modifications|cancell?ations?|exchanges?|returns?|updates) will be (?:made|submitted|applied|processed)\b",
    r"^(?:nothing|no \w+)(?: else)? will (?:be \w+|change|happen)\b[^.;]*\b(?:until|unless|before|without) (?:you|your)\b",
    r"^(?:I|we)(?: will not|(?:'|’)ll not| won(?:'|’)t)\b[^.;]*\b(?:until|unless|before|without) (?:you|your)\b",
    r"^(?:one|just a) (?:moment|second|sec|minute)\b|^(?:hold|bear) (?:on|with)\b|^give me a\b",
    r"^(?:ich werde|wir werden|ich schaue|ich prüfe|lassen sie mich|einen moment)\b",
    r"^(?:voy a|vamos a|déjeme|permítame|un momento|le (?:confirmaré|enviaré|avisaré))\b",
    r"^(?:je vais|nous allons|laissez-moi|un instant|permettez-moi)\b",
    r"^(?:vado a|ora controllo|mi lasci|un momento|verificherò|controllerò)\b|^(?:vou|vamos|deixe-me|um momento)\b|"
    r"^(?:ik zal|ik ga|wij zullen|laat me|een moment)\b",
)

# ---- what leads in a list --------------------------------------------------------------------------

# "What I need from you:", "Please reply with:", "Would you like to:" ask for each item below them.
_ASKING_LEAD = _any(
    r"\bneed(?:ed)?\b.{0,30}\bfrom you\b|^what (?:I|we)(?:'ll|’ll)? (?:still )?need\b|\b(?:details?|information|things?|items?) (?:that )?(?:I|we)(?:'ll|’ll| will)? (?:still |also )?need\b|^(?:information|details?) (?:needed|required)\b",
    r"\b(?:would|did) you (?:like|want|prefer)(?: me)?(?: to)?\W*$|\bdo you want(?: me)? to\W*$|\bshall I\W*$",
    r"\bplease (?:confirm|provide|choose|select|pick|reply|respond|specify|share|send|tell|let|review|answer|indicate|clarify)\b",
    r"^(?:in order )?to (?:proceed|continue|get started|move forward|complete|verify|finali[sz]e)\b",
    r"\bif you (?:can|could) (?:also )?(?:provide|share|send)\b",
    r"^(?:optional(?:ly)?|helpful)\b(?! (?:extra|add)\w*)",
    r"^(?:your )?confirmation(?: needed| required)?$|^questions?(?: for you)?$|^(?:to|for you to|please|pending) confirm\w*$",
)
# "Options:", "You can:", "Next steps:": only what is put as something to do is one of them.
_CHOICE_LEAD = _any(
    r"\b(?:options|choices|alternatives|either|next steps?|ways?)\b|\b(?:you|I|we) (?:can|could|may|might)(?: \w+){0,3}$|"
    r"\b(?:one of|both of)? ?the following\b|\bwhat (?:I|we|you) can\b|\bwhat(?:'|’)s next\b",
)
# "Proposed changes:", "Here's what I'll do:", in an answer that asks for the user's word.
_PROPOSAL_LEAD = _any(
    r"\b(?:proposed|proposal|planned|requested|intended|pending your)\b",
    r"\b(?:details|summary|recap|overview|summari[sz]e|confirm|review|outline)\b.{0,300}\b(?:changes?|exchanges?|returns?|cancell?ations?|"
    r"modifications?|updates?|actions?|requests?|bookings?|reservations?|plan|terms|transfer|refund|(?:new|updated|default|shipping) address)\b",
    r"\b(?:changes?|actions?|steps?|what|updates?)\b.{0,300}\b(?:I|we)(?:'ll|’ll|'m|’m| will| am| would|'d|’d)\b|\bwill happen\b|\bplan\b",
    r"\b(?:once|if|when|after) you(?:'ve|’ve| have)? (?:confirm|agree|approve)|\bbefore (?:I|we) (?:proceed|go|make|submit|do)\b|"
    r"\bfor your (?:confirmation|approval|review)\b|\bto confirm$",
    r"\b(?:to be|being) (?:changed|returned|exchanged|cancell?ed|modified|replaced|removed|refunded|updated|added)\b",
)
_DONE_LEAD = _any(
    r"\b(?:has|have|had|was|were|been)\b(?! (?:to|the option|a choice|two|three|several)\b)|\b(?:completed|confirmed|found|done|made)\b"
)
# "Let me summarize the order:" shows what is there, and plans nothing.
_SHOWING = _any(
    r"^let(?: me|(?:'|’)s)\b|^(?:I|we)(?:'ll|’ll| will| want to| need to) (?:\w+ly )?(?:list|summari[sz]e|share|provide|give|outline|show|check|look|"
    r"calculate|recap|present|explain|go over)\b"
)
_USERS_WORDS = _any(
    r"\b(?:changes|details|request|options?|items?|what) (?:that )?you(?:'ve|’ve| have)? (?:asked|requested|wanted|provided|chose|selected|chosen)\b"
)
LACKING_LEAD = _any(
    r"\bnot (?:seeing|showing|finding|listed|see|find)\b|^missing\b|^what (?:I|we) (?:can(?:'|’)t|cannot|don(?:'|’)t) (?:see|find|have)\b"
)
_RESULTS_LEAD = _any(
    r"\b(?:available|current(?:ly)?|existing|found|results?|in stock|on file|history|original|recent|associated|located|note|notes|"
    r"polic(?:y|ies)|timing|fees?)\b"
)
# The user is asked for a word before anything is done.
AWAITS = _any(
    r"\bconfirm\b(?!ed)|\b(?:reply|respond|answer)\b.{0,20}\byes\b|\bproceed\b[^.\n]*\?|\bwould you like (?:me )?to (?:proceed|go ahead)|"
    r"\b(?:shall|should) I\b|\bis (?:this|that|everything|all of this|all this) (?:correct|right|ok)|\bdo you (?:want|agree|approve)\b|"
    r"\bwhich (?:option|one)\b|\byour (?:explicit |final )?(?:confirmation|approval|consent)\b|\bplease (?:choose|select)\b",
)
# What an item puts as something to do: "Cancel the whole order".
TO_DO = re.compile(
    r"(?:(?:up)?on your [\"“'‘]?\w+[,.]?[\"”'’]?,? )?(?:also |then |only |just |or |and |either )*(?:add|apply|book|hold|proceed|continue|skip|ignore|exclude|target|prioriti[sz]e|cancel|calculate|change|charge|check|choose|convert|create|credit|delete|"
    r"identify|tell|find|show|locate|verify|present|explain|guide|prepare|arrange|notify|"
    r"downgrade|escalate|exchange|extend|file|go ahead|have|issue|keep|leave|list|look up|make|merge|modify|move|place|postpone|process|"
    r"pull|receive|refund|remove|renew|replace|request|reschedule|restart|retain|return|roll back|search|select|send|set|split|start|submit|"
    r"swap|switch|transfer|try|update|upgrade|use|wait|waive|withdraw)\b(?!:)(?! (?:\w+ed|of|on|is|are|was|has|will|in|at|set|status|timing|method|window|policy|fees?|requests?|amount|labels?|shipping|"
    r"instructions|time|date|process|preferences?|options?|details?)\b)",
    re.IGNORECASE,
)
TO_DO_THAT = re.compile(
    r"\W*(?:\w+ ){1,3}(?:the|your|this|that|it|them|both|all|any|one|an?|items?|orders?|#\w)",
    re.IGNORECASE,
)
# Labels of what is, not of what is wished for.
STATE_LABEL = re.compile(
    r"\b(?:status|availability|available|eligib\w+|delivered|shipped|balance|in stock|stock|fulfil?lment|eta|tracking|note|"
    r"outcome|result|reminder|important|policy)\b",
    re.IGNORECASE,
)

# Keys of a JSON answer, as words, that ask or plan.
ASKING_KEY = _any(
    r"\b(?:format|example|template)\b",
    r"\bwhat i need\b|\b(?:requested|required|needed) info\w*\b",
    r"\bneed(?:ed)? from you\b|\bplease\b|^questions?\b|\bconfirmation request\b|\bto confirm\b|\bnext steps?\b",
)
PROPOSING_KEY = _any(r"\bproposed\b|\bproposal\b|\bplanned\b|\bpending (?:your )?confirmation\b")

Lead = Literal["", "asks", "proposes", "offers", "restates", "lacks"]
"""What the line above a list makes of its items: nothing; requests; a plan; things to choose from;
what the user said; what is not there."""


# What a record lacks, told by the office or of a case: "For claim C-88417 we still need three things from
# you:". Not "I need two things from you:", nor "To look up order 7, we need your zip code".
REQUIRED_LEAD = _any(
    r"\b(?:the|your|their) (?:[\w'’-]+ ){1,4}?(?:still |also )?(?:needs?|requires?|asks? for|wants?|expects?)\b.*\bfrom you\b",
    r"\b(?:they|he|she)(?: still| also| only)* (?:needs?|requires?|asks? for|wants?|expects?)\b.*\bfrom you\b",
    r"\bwe (?:still|also|only)? ?(?:need|require)\b.*\b(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}|one) (?:more |other |further )?(?:things?|documents?|items?|papers?|forms?|details?)\b"
    r"(?=.*\d)|\bwe still (?:need|require)\b(?=.*\d)",
    r"^(?:for|on|in) [^,:]*\d[^,:]*?,? we (?:still |also |only )?(?:need|require)\b.*\b(?:two|three|four|five|six|seven|eight|nine|ten|one) (?:more |other |further )?"
    r"(?:things?|documents?|items?|papers?|forms?)\b",
    r"\b(?:is|are) (?:still |also )?(?:missing|outstanding|overdue)\b(?!.*\bplease\b)",
)
# What is asked of the user by a day is laid down somewhere: "The police report, by March 20".
DUE = re.compile(
    r"\b(?:by|before|until|till|no later than|not later than|due(?: on| by)?)\s+(?:the )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.? \d|\d)",
    re.IGNORECASE,
)


def lead_of(text: str, kind: str, *, awaits: bool) -> Lead:
    """What ``text``, a line of ``kind`` that leads in a list, makes of the items. ``awaits`` tells whether
    the answer asks for the user's word."""
    words = text.strip().rstrip(":： ").strip()
    if REQUIRED_LEAD.search(words):
        return ""
    if _ASKING_LEAD.search(words):
        return "asks"
    if kind == "restatement" or _USERS_WORDS.search(words):
        return "restates"
    if kind in ("fact", "absence") and LACKING_LEAD.search(words):
        return "lacks"
    if kind in ("offer", "question"):
        return "offers" if _RESULTS_LEAD.search(words) and not REQUEST.match(words) else "asks"
    if _DONE_LEAD.search(words):
        return ""
    if kind == "plan" and re.search(r"\b(?:need|know|require)\b", words):
        return "asks"
    if kind == "plan" and not _SHOWING.match(words):
        return "proposes"
    if awaits and _PROPOSAL_LEAD.search(words):
        return "proposes"
    if _CHOICE_LEAD.search(words) and not _RESULTS_LEAD.search(words):
        return "offers"
    return ""


def keeps_asking(title: str) -> bool:
    """Whether what is asked above a title is still asked below it: not below "Available options"."""
    return not _RESULTS_LEAD.search(title) and not _DONE_LEAD.search(title)
