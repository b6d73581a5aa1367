"""The phrases that tell the kinds of claims apart, as data. Anchored patterns say where they must stand.

Exempt phrases are written narrowly: what they let pass is never held against the answer. Facts need no
pattern: whatever no pattern knows is one.
"""

from __future__ import annotations

import re


def _any(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{p})" for p in patterns), re.IGNORECASE)


_I = r"\b(?:I|we)"
_HAVE = r"(?:(?:'ve| have)(?: (?:now|just|also|already|since|successfully|\w+ly))*)"
_PAST = (
    r"(?:(?:e-|re-)?\w{2,}ed|sent|set|put|made|paid|built|begun|gone|given|gave|brought|threw|taken|written|wrote|"
    r"done|withdrawn|rerun|run|cut|took|struck|rang|rung|drew|drawn)"
)

# ---- what was done -------------------------------------------------------------------------------

# Past forms of reading, thinking and speaking: they change nothing in the world.
READING = frozenset(
    "found checked looked seen located retrieved reviewed verified confirmed searched compared read noticed "
    "identified gathered pulled listed calculated computed analyzed analysed understood received got had been "
    "tried attempted encountered used assumed considered provided outlined explained mentioned noted based "
    "translated authenticated scanned examined queried consulted fetched loaded determined counted added-up "
    "needed wanted asked assisted helped failed managed finished learned learnt detected discovered obtained "
    "inspected experienced referenced cross-checked double-checked viewed validated estimated guessed missed "
    "enjoyed ignored disregarded hoped liked loved included shown told said meant known thought described clarified started given "
    "gone done made taken took drew drawn cited quoted reached stopped ended followed worked talked "
    "ignored disregarded skipped omitted avoided overlooked resisted "
    # not participles at all
    "need proceed succeed exceed feed speed indeed agreed".split()
)
# Of these, what an agent looks up, with the other forms that follow "was able to".
LOOKING = frozenset(
    "found checked looked located retrieved reviewed verified confirmed searched compared identified gathered pulled "
    "authenticated examined consulted fetched loaded inspected cross-checked double-checked accessed "
    "find check look locate retrieve review verify confirm search compare identify gather pull authenticate access".split()
)
# Words for making the answer itself: an action only if it is about something else than the text below.
COMPOSING = frozenset(
    "summarized summarised drafted written prepared compiled put attached formatted".split()
)

# Operations an agent does to the user's things. Not here: delivered, shipped, paid, received, approved,
# signed: those are states that records tell of, whoever brought them about.
_OPERATION = (
    r"(?:cancell?ed|updated|changed|modified|added|removed|deleted|booked|re-?booked|rescheduled|refunded|"
    r"processed|sent|emailed|e-mailed|notified|informed|submitted|created|escalated|assigned|reassigned|saved|"
    r"published|posted|scheduled|queued|applied|replaced|exchanged|swapped|issued|restarted|rolled back|deployed|"
    r"merged|closed|reopened|moved|renamed|waived|credited|extended|activated|deactivated|enabled|disabled|"
    r"reset|blocked|unblocked|frozen|unlocked|locked|transferred|forwarded|filed|opened|initiated|reserved|"
    r"upgraded|downgraded|registered|enrolled|unsubscribed|subscribed|archived|restored|reverted|raised|"
    r"requested|placed|set up|corrected|renewed|re-?sent|reissued|recorded|logged|uploaded|completed)"
)
FIRST_PERSON_DONE = _any(
    # "I've asked one of the sitters", "I've spoken to the manager"; not "I've asked you for the number"
    rf"{_I}{_HAVE} (?P<word>asked|told|spoken (?:to|with)|talked (?:to|with)|reached out to|got(?:ten)? in touch with|been in touch with) "
    r"(?!(?:you|about|if|whether|why|what|for|that|me|us|twice|again|several|above|before|earlier)\b)",
    rf"{_I}(?:'ve| have)? (?:(?:just|also|already|then|successfully) )*went ahead and (?P<ahead>{_PAST})\b",
    rf"{_I}(?:'ve| have)? gone ahead and (?P<gone>{_PAST})\b",
    rf"{_I}{_HAVE} (?P<perfect>{_PAST})\b",
    rf"{_I}(?:'ve been| have been| was| were) able to (?!find|see|locate|verify|confirm|check|look|retrieve|read)(?P<able>\w+)",
    rf"{_I} (?:(?:just|also|already|then|successfully|now) )*(?P<past>{_PAST})\b",
    # "I've got your booking moved", "I had them notified"
    rf"{_I}{_HAVE}? (?:got|gotten|had) (?:it|them|this|that|these|both|(?:your|the|my|our|his|her|their|both|all) [\w' -]{{1,40}}?) (?P<caused>{_OPERATION})\b",
    # "I've let the kitchen know"
    rf"{_I}{_HAVE}? (?P<let>let) (?!me\b|us\b|you\b)[\w' -]{{2,40}}? know\b",
)
# Of the verbs that change nothing, those that do with a particle: "I've taken you off the list".
PARTICLE_DONE = re.compile(
    # "I took this from the handbook" tells where it was read
    rf"{_I}{_HAVE}? ?(?:just |also |already |now )*(?:taken|took|pulled) (?:you|him|her|your [\w'’ -]{{1,40}}?) from\b|"
    rf"{_I}{_HAVE}? ?(?:just |also |already |now )*(?:taken|took|drawn|drew|got|gotten|pulled(?!.*\bup\b)|given(?=.* (?:back|away)\b)|gave(?=.* (?:back|away)\b)|stopped) "
    r"(?:you|it|them|him|her|this|that|these|those|both|(?:your|the|my|his|their|our|all|both) [\w'’ -]{1,40}?) "
    r"(?:off|out of|down(?! (?:below|here))|up|onto|back|away|through|in(?= (?:for|to)\b))\b",
    re.IGNORECASE,
)
_DEED = (
    r"(?:cancell?ation|update|change|modification|booking|return|exchange|refund|request|order|payment|transfer|renewal|"
    r"registration|submission|reservation|upgrade|downgrade|deletion|removal|swap)"
)
# Those of them that are no things: "your order was placed" may tell of last year.
_MERE_DEED = r"(?:cancell?ation|update|change|modification|return|exchange|refund|renewal|submission|upgrade|downgrade|deletion|removal|swap)"
# A deed as a noun, and that it was carried out: "both changes have been applied" redeems nothing.
CARRIED_OUT = re.compile(
    rf"\b({_MERE_DEED})s?(?: requests?)?(?: (?:is|are|was|were|has|have))?(?: now| both| all| since| just| currently)*(?: been| being)?(?: \w+ly)? "
    r"(?:applied|submitted|initiated|placed|made|put through|processed|recorded|registered|completed?|done|through|in place)\b",
    re.IGNORECASE,
)
PASSIVE_DONE = _any(
    # "Both actions are completed", "The changes have been made successfully"
    r"(?<!ensure )(?<!once )(?<!after )(?<!when )(?<!until )\b(?:both|all|the|your|these)(?: (?:two|three|four|requested|other|of (?:the|your)))? (?:actions?|changes?|updates?|requests?|steps?) "
    r"(?:are|is|have been|has been|were|was) (?:now |all |both |successfully )*(?:complete|completed|done|made|submitted|applied|in place|carried out)\b(?! (?:once|when|after|if|until))",
    # "Both cancellations are complete", "The exchange request was submitted"
    rf"\b(?:both|all|your|these|the)(?: [\w-]+)? {_MERE_DEED}s(?: (?:are|have been))?(?: now)? (?:complete|all set|in place|through)\b(?! (?:once|when|after|if))",
    rf"\b(?:both|all|your|these|this|the)(?: [\w-]+)? {_MERE_DEED}s?(?: requests?)? (?:was|were) (?:\w+ly )?(?:submitted|initiated|placed|processed|applied|"
    r"recorded|registered|completed)\b(?! (?:on|in|at|by|before|last) )",
    rf"^(?:your|the|both|all)(?: [\w-]+)? {_MERE_DEED}s?(?: requests?)? (?:is|are)(?: now)? submitted\b",
    # "Your cancellation is complete.", "Address update complete"
    rf"\b{_DEED}(?: request)?(?: (?:is|are) now| is| are|:)? (?:complete|done|all set|in place|through)\b(?! (?:once|when|after|if))",
    r"\b(?:has|have|'s|'ve)(?: (?:now|just|also|already|since|successfully|both|all|\w+ly))* been "
    rf"(?:\w+ly |now |also )*{_OPERATION}\b",
    r"\b(?:has|have|'s|'ve)(?: (?:now|just|also|already|since|successfully|both|all|\w+ly))* been "
    r"(?:taken|signed|opted|struck|crossed|dropped|switched|turned|put|called|shut|written) (?:off|out|up|down|on|in|from)\b",
    rf"\b{_MERE_DEED}s? (?:is|are) (?:now |currently )?being processed\b",
    rf"\b(?:is|are|'s|'re) now (?:\w+ly )?{_OPERATION}\b",
    rf"\b(?:was|were|is|are) successfully {_OPERATION}\b",
    r"\b(?:e-?mail|message|reminder|notification|invitation|invite|confirmation|request|alert|text|sms)s? "
    r"(?:is|are|was|were) (?:now )?(?:queued|sent|scheduled|on (?:its|the|their) way)\b",
)
# "Cancelled." "Updated the address." Not "Cancelled orders are refunded", and not behind a label, where it
# is a state: "Status: cancelled".
# That the agent read something, told by a code: "verified": true.
CODED_READING = re.compile(
    r"\"\w*(?:verified|authenticated|verification|authentication)\w*\"\s*:\s*(?:true\b|\"(?:verified|authenticated|complete|completed|passed|done|ok)\")"
    r"|\"status\"\s*:\s*\"(?:verified|authenticated)\"",
    re.IGNORECASE,
)
# A deed named by the code of its operation: "type": "modify_address".
CODED_DEED = re.compile(
    rf"{_MERE_DEED} [a-z ]+|(?:modify|cancel|exchange|return|refund|update|change) [a-z ]+",
    re.IGNORECASE,
)
# That all went well, told of no deed in particular: "success": true.
CODED_SUCCESS = re.compile(
    r"\"(?:\w+_)?(?:success|successful|result|outcome|status)\"\s*:\s*(?:true\b|\"(?:success|successful|succeeded|completed?|done|ok)\")",
    re.IGNORECASE,
)
# "#W0000000" shows what a number looks like.
PLACEHOLDER = re.compile(r"\W*[A-Za-z]{0,4}[-_]?(?:0{4,}|[xX]{4,})\W*")
# A deed told by a code: "modified_items_in_pending_order".
CODED_DONE = re.compile(rf"{_OPERATION} [a-z ]+", re.IGNORECASE)
ELLIPTIC_DONE = re.compile(
    rf"(?:(?:order|booking|done)\b[,:]? |(?:shipping |delivery |billing |default )?(?:address|payment method) )?{_OPERATION}(?: successfully)?(?: (?:it|the|your|and|for|to|on)\b.*)?\W*$",
    re.IGNORECASE,
)
# Somebody else did it, or it only happens later or perhaps.
NOT_DONE_BY_US = _any(
    r"\b(?:has|have|is|are|was|were)n(?:'|’)t\b|\b(?:not|never|yet to)\b[^,;]{0,25}\bbeen\b",
    r"\bbeen \w+ by (?!us\b|me\b)",
)
# "Shall I put it on hold?" asks.
BEFORE_A_CONDITION = re.compile(
    r"\b(?:once|after|when|if|until|unless|as soon as|whether|before|wish|would|shall|should|can|could|(?-i:may)|might|must|will|do|"
    r"did)\s+$",
    re.IGNORECASE,
)
ASKING = re.compile(
    r"\b(?:shall|should|(?-i:may)|might|can|could|would|will|do|did|must)\s+$", re.IGNORECASE
)
# In other languages what the agent says it did, and below what it says was done.
OTHER_LANGUAGES_DONE = _any(
    # German: the participle closes the clause.
    r"\b(?:ich|wir) (?:habe|haben)\b(?!.*\b(?:gefunden|gesehen|geprüft|nachgesehen|verstanden|gesucht|nicht|"
    r"keine?n?)\b).*\b(?:\w*ge\w+(?:t|en)|\w+iert|(?:ver|er|über)\w+(?:t|en))\b",
    r"\b(?:habe|haben) (?:ich|wir)\b(?!.*\b(?:gefunden|gesehen|geprüft|verstanden|nicht|keine?n?)\b)"
    r".*\b(?:\w*ge\w+(?:t|en)|\w+iert)\b",
    # Spanish
    r"(?<!no )\b(?:he|hemos) (?:ya )?(?!encontrado|visto|comprobado|revisado|buscado|consultado|verificado|recibido|"
    r"podido|localizado|sido|leído|tenido)\w+(?:ado|ido|uesto|echo|rito|ierto)\b",
    # French
    r"\bj(?:'|’)ai (?:bien |également |déjà )?(?!trouvé|vu|vérifié|consulté|cherché|reçu|constaté|compris|pu )"
    r"\w+(?:é|i|is|it|u)e?s?\b",
    r"\bnous avons (?:bien )?(?!trouvé|vu|vérifié|consulté|reçu|pu )\w+(?:é|is|it)e?s?\b",
    # Italian
    r"(?<!non )\b(?:ho|abbiamo) (?!trovato|visto|controllato|verificato|cercato|ricevuto|consultato|letto|potuto)"
    r"\w+(?:ato|ito|uto|esso|sto|tto)\b",
    # Portuguese
    r"(?<!não )\b(?:cancelei|alterei|atualizei|adicionei|removi|reservei|enviei|reembolsei|criei|apliquei|mudei|"
    r"remarquei|notifiquei|agendei)\b",
    # Dutch
    r"\b(?:ik heb|wij hebben|we hebben)\b(?!.*\b(?:gevonden|gezien|gecontroleerd|bekeken|gezocht|niet|geen)\b)"
    r".*\b(?:\w*ge\w+(?:d|t|en)|ver\w+(?:d|t|en))\b",
)
OTHER_LANGUAGES_PASSIVE = _any(
    r"\b(?:wurden?|ist|sind)\b(?!.*\bnicht\b).* (?:storniert|gekündigt|geändert|aktualisiert|hinzugefügt|entfernt|"
    r"gelöscht|umgebucht|gesendet|versendet|verschickt|erstattet|gutgeschrieben|eingetragen|angelegt|"
    r"weitergeleitet|verschoben|benachrichtigt|informiert|gesperrt|freigeschaltet)(?: worden)?\b",
    r"(?<!no )\b(?:ha|han) sido (?:cancelad|actualizad|modificad|cambiad|añadid|eliminad|reservad|enviad|"
    r"reembolsad|notificad|cread|programad|aplicad|anulad|informad)[oa]s?\b",
    r"(?<!no )\bse (?:ha|han) (?:cancelado|actualizado|modificado|cambiado|añadido|eliminado|reservado|enviado|"
    r"reembolsado|notificado|creado|programado|aplicado|anulado)\b",
    r"(?<!n')(?<!n’)\ba (?:bien |également |déjà )*été (?:annulé|modifié|changé|ajouté|supprimé|réservé|envoyé|"
    r"remboursé|créé|mis à jour|prévenu|informé|notifié|reporté|transféré)e?s?\b",
    r"(?<!non )\b(?:è|sono) stat[oaie] (?:annullat|modificat|cambiat|aggiunt|rimoss|prenotat|inviat|rimborsat|creat|"
    r"aggiornat|avvisat|spostat)[oaie]\b",
    r"(?<!não )\bfo(?:i|ram) (?:cancelad|alterad|atualizad|adicionad|removid|reservad|enviad|reembolsad|criad|"
    r"remarcad|notificad|agendad)[oa]s?\b",
    r"\b(?:is|zijn) (?:geannuleerd|gewijzigd|bijgewerkt|toegevoegd|verwijderd|geboekt|verzonden|terugbetaald|"
    r"aangemaakt|verplaatst|verzet)\b",
)

# ---- small talk ----------------------------------------------------------------------------------

# What is said of a person's plan, luck or trouble.
_NICE = (
    r"(?:kind|nice|lovely|sweet|thoughtful|generous|good|great|exciting|wonderful|fantastic|amazing|awesome|brilliant|delightful|"
    r"cool|fun|thrilling|frustrating|annoying|stressful|disappointing|upsetting|inconvenient|awful|terrible|sad|tough|hard|rough|"
    r"worrying|scary|unpleasant|unfortunate|beautiful|charming|impressive|special)"
)

GREETING = _any(
    r"^(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|welcome|dear)\b",
    r"^(?:thanks|thank you|many thanks)\b",
    # A bare yes or no before the statement that gives it its sense.
    r"^(?:(?:I(?:'|’)m|I am) afraid (?:not|so)|unfortunately not|sadly not|(?:not )?quite|not really|yes and no|it depends)\s*[:;,–—-]\s*$",
    r"^(?:you(?:'|’)re|you are) (?:very |most |so )?welcome\b|^(?:my pleasure|no problem|no worries|not at all|"
    r"don(?:'|’)t mention it|anytime|cheers|sure(?: thing)?|of course|certainly|absolutely|perfect|understood|"
    r"got it|great|excellent|wonderful|awesome|okay|ok|alright|all right|happy to|glad to|noted|sounds good|"
    r"congratulations|will do|no rush|all done|all set|you(?:'|’)re all set|done)\b(?!.*\b(?:is|are|has|have|was)\b)",
    r"^(?:sleep|rest) (?:well|tight|easy)\b(?!.*, (?:the|your|you|it|we|I|this|that|they)\b)|^(?:sweet|pleasant) dreams\b|^(?:night[- ]?night|nighty? night|toodle-?oo|toodles|so long|farewell|later|laters|"
    r"see ya|bye[- ]bye|goodnight|good night|ciao|adieu|until (?:next time|then|tomorrow)|till (?:next time|then|tomorrow)|catch you (?:later|soon)|"
    r"over and out|signing off|drive (?:safe|safely|carefully)|get home safe(?:ly)?|travel safe(?:ly)?|fly safe|ride safe|(?:stay|keep) (?:tuned|strong|positive|calm|curious)|"
    r"break a leg|knock (?:them|[’']em) dead|go get (?:them|[’']em)|you(?:['’]ve)? got this|cross(?:ing)? (?:my )?fingers|bottoms up|happy (?:trails|days)|many happy returns|have at it|off you go)"
    r"(?:,? (?:then|now|again|there|out there|everyone|everybody|all|folks|guys|friends?|my friend|mate|buddy|dear|tonight|today|tomorrow|and [a-z ]{3,20}|(?-i:[A-ZÀ-Þ]\w+)))*\W*$",
    r"^take (?:good )?care\b(?! of)|^(?:happy|best) (?:travels|holidays|birthday|of luck)\b|^(?:speak|talk|chat) (?:soon|to you)\b|^get well\b|^cheers\b",
    r"^(?:great|good|excellent|fair|interesting|that(?:'|’)s a (?:great|good|fair)) (?:question|news|idea|point)\b",
    # Being sorry is small talk for what the user told or suffered; "sorry that it was declined" tells news.
    r"^(?:I(?:'|’)m|I am|we(?:'|’)re|we are) (?:so |very |really |truly |terribly )?sorry(?: (?:to (?:hear|see|learn|read|keep|bother)|for|about|if|"
    r"(?:that )?(?:this|things|you(?! (?:can|won|could|are not|aren|will|may not|must)))\b)|,? [A-ZÀ-Þ]?\w+\W*$|\W*$)",
    r"^(?:(?:I|we)(?: now|(?:'|’)ve got| have got| have|(?:'|’)ve)? )?(?:have |got )?(?:everything|all of it|it all)(?: (?:is|we need|I need))?(?: all| now)? (?:ready|set|prepared|lined up|in hand|in order)(?: (?:here|for you|to go|now))?\W*$",
    r"^(?:I(?:'|’)m|I am|we(?:'|’)re|we are) (?:so |very |really |truly )?(?:glad|happy|pleased|delighted|"
    r"thrilled)\b(?! to (?:confirm|inform|report|tell|say|announce|let you know))",
    r"^(?:my |our )?(?:sincere )?(?:apologies|sorry)\b|^(?:I|we) (?:sincerely |do |truly )?apologi[sz]e\b",
    r"^(?:have(?= (?:an?|fun|yourself)\b)|enjoy|wishing|safe|happy|good luck|take care|bye|goodbye|see you|best|all the best|stay)\b"
    r"(?=.*\b(?:you|your|a|an|the|travels?|regards|wishes|holidays?|birthday|care|soon|luck|safe|best)\b)"
    r"(?!.*\b(?:is|are|has|have been|was|were|will)\b)",
    r"^(?:kind|warm|best) regards\b|^sincerely\b|^I hope\b|^hope\b|^I(?:'|’)m here\b|^I am here\b",
    r"^(?:I|we) (?:really |truly )?(?:appreciate|(?:\w+ly )?understand (?:(?:that )?you(?:'re|’re| are) (?:in a|under|worried|frustrated|upset|busy|concerned|short|pressed)|your|how|why|this|it|that (?:this|it)|the (?:\w+ )?(?:frustration|inconvenience|urgency|situation|"
    r"concern|confusion|importance)))\b",
    r"^I (?:know|reali[sz]e|can (?:imagine|see|understand)) (?:this|that|how|it|why|waiting)\b.*\b(?:stress|frustrat|important|difficult|"
    r"inconvenien|annoy|disappoint|confus|concern|hard|upset|tough|a lot|worr|tedious)",
    r"^my (?:day|afternoon|morning|evening|week)\b|^I(?:'|’)m doing (?:well|great|fine|good)\b|^(?:otherwise,? )?you(?:'|’)re (?:good to go|clear to proceed|all set)\b",
    rf"^how (?:very |really |absolutely )?{_NICE}\b[^?]*$|^what (?:an? )?(?:\w+ ){{0,2}}\w+!$|^what an? {_NICE}\b[^?]*$",
    rf"^(?:that|this|it)(?:'s|’s| is| was| sounds| must (?:be|have been)) (?:so |very |really |such |truly |quite |awfully |incredibly )*{_NICE}"
    r"(?: (?:of you|to hear|for you))?[^\w:,]*$",
    rf"^(?:that|this|it)(?:'s|’s| is| was| sounds) (?:so |very |really |such |truly )*{_NICE} (?:of you|to hear|for you)\b",
    # Not "Congrats, your loan went through"
    r"^(?:congrats|kudos|bravo|well done|nicely done|good job|way to go|fingers crossed|much appreciated|(?:always |still |right )?here to help|hang in there|"
    r"keep (?:me|us) posted|feel better|you got it|you bet|sounds like a plan|thanks so much|thx|ciao|bon (?:voyage|app[ée]tit)|godspeed)\b"
    r"(?!.*\b(?:is|are|has|have|was|were)\b)(?!.*, (?:the|your|you|our|it|we|I|this|that|they|a|an)\b)",
    r"^(?:ta-?da|voilà|hooray|yay|phew|oops|whoops|uh-oh|oh no|oh dear|ouch|aw+|aha|hmm+|wow|cheerio|ta)\W*$",
    r"^(?:looking|I(?:'|’)m looking|I look|we look|we(?:'|’)re looking) forward to\b|^(?:there(?:'|’)s )?no need to (?:thank|apologi[sz]e|worry|be sorry|rush|panic)\b",
    r"^(?:enjoy|relax|rest up|breathe)\W*$|^(?:stay|keep) (?:warm|safe|well|dry|cool|healthy|in touch|it up)\b|^happy [a-z]+ing\W*$",
    r"^I(?:'|’)m all (?:ears|yours)\b|^you(?:'|’)re in (?:good|safe|the best) hands\b|^I (?:get|know|see|understand|can imagine) how \w+ (?:that|this|it)\b",
    r"^(?:see you|have fun|have a (?:great|good|nice|lovely|wonderful|safe))\b(?!.*\b(?:is|are|has|have|was|were|will)\b)",
    r"^that(?:'s|’s| is) (?:it|all|everything)(?: (?:for now|from me|from my side|I have))?\W*$|^(?:nice|great|good|excellent|amazing|solid) (?:work|job|catch|call|thinking|stuff|going)\b(?!.*\b(?:is|are|was|were|has|have)\b)",
    r"^no (?:further |additional |more |other )?(?:info|information|details?|action|steps?|changes?|documents?|paperwork)(?: (?:is|are))? (?:needed|required|"
    r"necessary)(?: from you| on your (?:part|side|end))?(?: (?:at this (?:time|point)|right now|for now))?\W*$",
    r"^it (?:seems|appears|looks like) there (?:was|were|has been|may have been) (?:a |an |some )?(?:misunderstanding|mix-?up|confusion)\b",
    r"^good luck\b(?!.*\b(?:is|are|has|have|was|were|will)\b)|^(?:I(?:'|’)m|I am) standing by\b|^proceed with confidence\b",
    r"^it was (?:a|my) pleasure\b|^nice to\b|^pleased to\b|^glad (?:I|we|to|that)\b|^happy (?:I|we|to)\b",
)
# Who is speaking. A number among it makes it a fact like any other.
SELF_INTRODUCTION = _any(
    r"^(?:I(?:'|’)m|I am|this is|my name is|you(?:'|’)re (?:chatting|speaking) with)\b[^.]{0,60}"
    r"\b(?:assistant|agent|bot|representative|concierge|helper|advisor|adviser|support|helpdesk|team|guide)\b",
)
# "Here are the details:" points at what follows and says nothing itself.
SIGNPOST = _any(
    # "There's also another way in:", "There is one catch:"
    r"^there(?:'s|’s| is| are| was| were)(?: also| just| only| still| one| another| an?| some| (?:a )?few| several| other| more| yet)* (?:(?!two|three|four|five|six|seven|eight|nine|ten)[a-z-]+ )?(?:ways?|options?|"
    r"things?|catch|exceptions?|points?|details?|reasons?|caveats?|conditions?|possibilit(?:y|ies)|alternatives?|differences?|snags?|wrinkles?|"
    r"considerations?|routes?|workarounds?|tricks?|causes?|steps?|bits?|notes?|limitations?|drawbacks?|downsides?|upsides?|twists?)"
    r"(?: (?:in|out|around (?:it|this|that)|(?:to|worth) \w+(?: (?:in mind|it|this|that|there|out for|of))?|here|though|too|as well|however|for (?:this|that|it)|behind (?:it|this|that)))*:$",
    # "Not both, I'm afraid:", "Not quite:", the reason of which follows
    r"^(?:sorry,? |sadly,? |no,? )?not (?:both|all|quite|entirely|really|exactly|fully|necessarily|always|as such|on its own|in this case|for you|any ?more)"
    r"(?: (?:of (?:them|it|those|these)|at once|together|yet|here|any ?more))?,?(?: (?:I(?:'|’)m|I am) afraid| sadly| unfortunately| sorry)?:$",
    # "It works like this:", "The reason is simple:", "It comes down to this:"
    r"^(?:it|this|that|things)(?: all)?(?: works?| goes| go| happens| looks?| breaks? down| comes? down| boils? down|(?: is| are|'s|’s) (?:split|arranged|organi[sz]ed|set up|laid out|structured)| stands?)"
    r"(?: (?:out|like this|like so|like that|as follows|to this|this way|so|up|(?:in|into) (?:two|three|several|a few) (?:\w+ )?(?:parts?|steps?|groups?)|"
    r"between (?:the )?(?:two|three|four|both|all|each)?(?: ?of)? ?(?:you|us|them|the parties)))*:$",
    r"^(?:the|my|one) (?:[\w-]+ )?(?:reason|idea|rule|principle|problem|catch|version|line|upshot|answer|thing|explanation|story|trick|point|difference|logic|"
    r"situation|gist|question|choice|plan)(?: (?:here|for (?:this|that|it)|behind (?:it|this|that)))? (?:is|was)(?: (?:this|quite|very|simple|simply|easy|straightforward|clear|as follows|that|here|below))*:$",
    r"^actions? (?:completed|taken|done)\W*$",
    r"^.*\bdepends on (?:the|your|its) (?:[\w-]+(?:'s|’s)? )?(?:status|state)\W*:$",
    r"^if you(?:'d|’d| would)? (?:like|prefer|want|need)\b[^,.]*:$|^(?:important|key|quick) notes?(?: before \w+ing)?\W*$",
    r"^(?:[\w-]+ ){1,3}(?:recorded|requested|selected|provided|chosen|given|noted|on file)\W*:$",
    r"^(?:while|before|so) [^,.]*, (?:an? )?(?:few|couple(?: of)?|some|quick|two|three)? ?(?:\w+ )?(?:clarifications?|questions?|details?|notes?)\b.*:$",
    r"^(?:[\w-]+ ){1,4}(?:that )?(?:I|we|you) (?:can|could|will|would) \w+(?: now)?:$",
    r"^(?:how|why|when|where|what (?:happens|comes|to expect|you(?:'ll|’ll| will| can)))\b[^?.,]*:$|^just so you know\W*$",
    r"^(?:you|we|there)(?:'ve|’ve)? (?:have|are|also have)? ?(?:a few|two|three|four|several|some|the following) (?:\w+ )?(?:options|choices|ways|possibilities|alternatives)\b.*:$",
    r"^(?:these|those|this) (?:are|is) (?:all )?(?:the|your) [\w ’'-]+ (?:associated with|linked to|on|in|under) (?:your|this|the) (?:account|order|profile|list)\W*$",
    r"^(?:an? (?:few|couple(?: of)?)|some|important|quick|key|additional|other) (?:\w+ )?(?:notes?|things?|details?|points?|reminders?|items?)\b.*:$",
    r"^(?:actions?|steps?|changes?|requests?|items?|updates?) (?:completed|taken|made|done|requested|submitted|confirmed)\b[^.]{0,30}:$",
    r"^(?:based on|for|regarding|as for|from|per|with)\b[^.]{0,100}, here(?:'|’)?s?\b.*:$",
    r"^(?:I|we)(?:'ve|’ve| have) (?:drafted|written|summari[sz]ed|prepared|compiled|listed|outlined|put together)\b"
    r".*\b(?:below|here|above)\b",
    r"^(?:(?:quick |short )?(?:summary|recap|overview)|details?|in (?:summary|short)|to (?:summari[sz]e|recap)|as follows|"
    r"the following|for reference|see below|let me summari[sz]e|let(?:'|’)s (?:recap|summari[sz]e))\b(?=(?:(?!\b(?:I|we)\b).){0,80}:$)",
    r"^(?:here|below)(?:'|’)?s?\b.*(?::$|\b(?:summary|details|overview|recap|list|information|options|results|"
    r"breakdown|reference|steps|confirmation|what|how)\b(?!.*\b(?:has|have|was|were|been|which)\b))",
)
OTHER_LANGUAGES_GREETING = _any(
    r"^(?:hallo|schlaf(?:t|en sie)? (?:gut|schön)|träum (?:süß|schön)|guten (?:tag|morgen|abend)|vielen dank|danke|gerne?|gern geschehen|bitte sehr|kein problem|"
    r"schöne[ns]?|einen? schöne[ns]?|angenehme[ns]?|gute (?:fahrt|besserung|nacht|heimreise)|(?:liebe|beste|viele|freundliche) grüße|bis (?:bald|dann|morgen|später|zum nächsten mal)|auf wieder(?:sehen|hören)|tschüss|guten appetit|alles gute|frohe|viel (?:freude|vergnügen|glück)|moin|grüß gott|servus|viel (?:spaß|erfolg)|mit freundlichen|herzlichen|entschuldigung|es tut mir leid|"
    r"ich hoffe|alles klar|natürlich|selbstverständlich|schön, dass|gute reise|sehr gerne)\b",
    r"^¡?(?:hola|buen(?:os|as) (?:días|tardes|noches)|gracias|muchas gracias|de nada|con (?:mucho )?gusto|"
    r"perfecto|claro|por supuesto|lo siento|lamento|disculpe|que tenga|buen viaje|feliz|un saludo|saludos|"
    r"hasta (?:pronto|luego|mañana|la vista)|adiós|cuíd[ae]\w*|(?:mucha|buena) suerte|que (?:te |se )?(?:mejor\w+|lo pas\w+|disfrut\w+|tengas?|vaya|duerm\w+|descans\w+|sueñ\w+)|disfrut[ae]\w*|buen (?:día|fin|provecho)|atentamente|cordialmente|un abrazo|encantad[oa]|espero que|me alegra|es un placer)\b",
    r"^(?:bonjour|bonsoir|dors bien|dormez bien|fais de beaux rêves|faites de beaux rêves|repose-toi bien|reposez-vous bien|merci|de rien|je vous en prie|avec plaisir|bien sûr|parfait|désolée?|je suis désolée?|"
    r"bon(?:ne)? (?:journée|soirée|nuit|continuation|chance|route|appétit|rétablissement|week-end|courage|séjour|fin de)|belle journée|salut|coucou|"
    r"à (?:bientôt|demain|plus tard|très vite|la prochaine|votre service)|au (?:revoir|plaisir)|prenez soin|soignez|bien à vous|profitez bien|bon voyage|cordialement|très bien|j(?:'|’)espère|excellente? |n(?:'|’)hésitez pas)",
    r"^(?:ciao|dormi bene|dorma bene|sogni d[’']oro|riposati|buongiorno|buonasera|salve|grazie|prego|certo|perfetto|mi dispiace|buon[ae]? (?:giornata|serata|notte|fortuna|viaggio|"
    r"appetito|divertimento|lavoro|weekend|fine|guarigione|vacanze|lettura)|a (?:presto|domani|dopo|risentirci)|arrivederc[ia]|alla prossima|"
    r"(?:distinti|tanti|cari) saluti|saluti|si riguardi|in bocca al lupo|benvenut[oaie]|"
    r"cordiali saluti|con piacere|spero|figurati|di nulla)\b",
    r"^(?:olá|oi|dorm[ae] bem|durma bem|bons sonhos|bom dia|boa (?:tarde|noite|viagem|sorte|semana|estadia)|bom (?:fim|trabalho|proveito|apetite|descanso)|até (?:logo|breve|já|amanhã|à próxima|mais)|"
    r"as melhoras|melhoras|cuide-se|tchau|adeus|abraços?|cumprimentos|(?:com os )?melhores cumprimentos|disponha|obrigad[oa]|de nada|claro|perfeito|desculpe|lamento|"
    r"tenha um|espero que|atenciosamente|com prazer|por nada)\b",
    r"^(?:hoi|slaap (?:lekker|zacht)|welterusten|goeden?nacht|goeden?(?:dag|morgen|middag|avond)|bedankt|dank u|dank je|graag gedaan|natuurlijk|prima|sorry|"
    r"het spijt me|(?:nog )?(?:een )?(?:fijne|prettige|goede|leuke|mooie) (?:dag|reis|avond|weekend|vakantie|middag|rit|vlucht|verblijf)|tot (?:ziens|snel|straks|morgen|dan|gauw|"
    r"de volgende)|beterschap|veel (?:plezier|succes|sterkte|leesplezier)|succes|welkom|eet smakelijk|groet(?:en|jes)?|"
    r"met vriendelijke groet|ik hoop)\b",
)

# ---- opinions -----------------------------------------------------------------------------------

# "With that much luggage, I'd …": what the advice looks at.
_IN_VIEW_OF = r"(?:(?:with|given|for|considering|between|of|on|if|since|as|in|either way|overall|honestly|frankly)\b[^,.]{0,80}, )?"

OPINION = _any(
    r"^(?:so |then )?(?:the|your) (?:next[- ])?(?:best|easiest|simplest) (?:option|choice|way|path) (?:is|would be|might be) to\b",
    r"\b(?:sounds?|looks?|seems?) like (?:an? )?(?:\w+ )?(?:great|good|nice|lovely|fun|solid|sensible|excellent|"
    r"wonderful|perfect|fantastic|fair)\b",
    r"^(?:that|this|it)(?:'s|’s| is| sounds| looks) (?:an? )?(?:really |very )?(?:great|good|nice|lovely|wonderful|"
    r"excellent|fantastic|wise|smart|perfect)(?: (?:choice|pick|idea|plan|option|question|one))?\b",
    rf"^{_IN_VIEW_OF}(?:personally, )?(?:I|we)(?:'d|’d| would) (?:\w+ly |also |still |rather |be inclined to )*(?:lean|opt|go (?:for|with)|pick|choose|take|"
    r"start with|stick with|favou?r)\b",
    rf"^{_IN_VIEW_OF}(?:I|we)(?:'d|’d| would) (?:(?:\w+ly|also|just|still) )*(?:be (?:careful|wary|inclined)\b|"
    r"(?!(?:like to|have|had|been|be|say|guess|expect|estimate|need|never|not|only|sent|made|found|told|written|paid|done|given|gone|seen|"
    r"taken|got|set|put|left|lost|kept|chosen|spoken|read|run)\b|\w+ed\b)[a-z]+\b)",
    # What is said of advice in general
    r"^(?:(?:as always|please note|note)[,:]? )?(?:that )?(?:this|that|it|the above|none of this|nothing here)(?:(?:'|’)s| is| isn(?:'|’)t| should| does| doesn(?:'|’)t)?(?: not| be| constitute| taken| considered| only| just| meant| intended| for| as)*\b[^.]*\b(?:financial|legal|medical|tax|investment|"
    r"professional) advice\b|^past performance\b|^I(?:(?:'|’)m| am) (?:not|only|just) (?:an? )?(?:doctor|lawyer|physician|accountant|advis[eo]r|AI|assistant|professional|licensed|qualified)\b",
    # Sending the user on to somebody who knows: advice that says nothing of the matter.
    rf"^{_IN_VIEW_OF}(?:it(?:'s|’s| is| would be|'d be|’d be| may be| might be)|you(?:'d|’d| would) be|that(?:'s|’s| is)) (?:probably |usually |always |generally )?(?:best|better off|better|"
    r"wise|safest|worth|a good idea|advisable|recommended|sensible)(?:,? (?:to|if you))? (?:\w+ly )?(?:ask|check|contact|call|ring|phone|speak|talk|email|e-mail|get in touch|reach|"
    r"consult|confirm|verify|see a|have a (?:look|word)|seek|asking|checking|contacting|calling|speaking|talking|confirming|a (?:call|try|look))\w*\b",
    rf"^{_IN_VIEW_OF}you (?:may|might|could|should|will|would)(?: also| just| probably| perhaps)*(?: (?:want|wish|like|prefer) to| consider)? ?(?:ask(?:ing)?|check(?:ing)? with|contact(?:ing)?|speak(?:ing)? "
    r"(?:to|with)|talk(?:ing)? to|consult(?:ing)?|get(?:ting)? in touch with)\b",
    r"^(?:my|our) (?:(?:personal|own|honest|first) )*(?:pick|vote|favou?rite|preference|choice|advice|suggestion|recommendation) (?:is|would be|goes)\b|"
    r"^(?:if (?:it were|I were)|to (?:my|me)|for my (?:money|taste))\b[^.]*, ?|^if you ask me\b",
    rf"^{_IN_VIEW_OF}(?:I|we)(?:'d|’d| would)? (?:personally |also |strongly |still )?(?:think|believe|feel|recommend|suggest|prefer|"
    r"advise|love|like)\b|^in my (?:opinion|view)\b|^personally\b|^(?:great|excellent|good|nice|lovely) (?:choice|"
    r"pick|idea)\b|^(?:it|this) (?:may|might) be (?:worth|a good idea)\b",
)

# Which of several the user may mean, left for the user to say.
GUESS = _any(
    r"\b(?:it(?:'s|’s| is) (?:quite |very )?(?:possible|likely|probable)(?: that)?|(?:this|that|it|which|these) (?:may|might|could)(?: well)? be|perhaps|maybe|possibly|my guess is)\b"
    r"[^.;]*\b(?:the ones?|what|which|the (?:order|booking|item|account|ticket|trip|file)) (?:that )?you(?:'re|’re| are| were)? (?:referring to|mean|meant|looking for|talking about|asking about|thinking of|have in mind|had in mind)\b",
)

# What may come, by the agent's own lights: "but it will probably fail again under the same load".
OUTLOOK = _any(
    r"\b(?:will|'ll|’ll) (?:\w+ )?(?:probably|likely|most likely|very likely|surely|presumably|almost certainly|inevitably|no doubt)\b|"
    r"\b(?:probably|most likely|presumably|chances are)\b[^,.]*\b(?:will|'ll|’ll|won't|won’t)\b|"
    r"\b(?:is|are|it's|it’s) (?:very |quite |most |more than )?(?:likely|bound|set to keep|prone) to\b|\b(?:might|may|could) well (?!be\b)\w+",
    # Advice to whom it may concern
    r"^(?:someone|somebody|one of you) (?:(?:will|'ll|’ll) (?:have|need) to|(?:should|needs to|has to|ought to|must))\b",
)
# What the agent let be that others told it to do: "which I've ignored". It changes nothing.
LET_BE = re.compile(
    r"(?:which |that |so )?(?:I|we)(?:(?:'|’)ve| have| did)?(?: simply| just| therefore)* (?:ignored?|disregard(?:ed)?|not follow(?:ed)?|not act(?:ed)? on|not obey(?:ed)?|"
    r"(?:set|left|put) (?:it|that|them|this|those|(?:that|the|this) \w+) aside|passed over)(?: (?:it|that|them|this|those|(?:that|the|this|those) (?:\w+ )?"
    r"(?:instructions?|lines?|notes?|requests?|orders?|commands?|messages?|texts?|parts?)))?\W*$",
    re.IGNORECASE,
)

# ---- sources, the user's words, absence ----------------------------------------------------------

MARKER = re.compile(r"\[\^?\d{1,3}(?:\s*[,;–-]\s*\^?\d{1,3})*\](?!\()|【[^】]{1,60}】")
# Case matters here: "per Section 4" cites, "per night" does not.
SOURCE = re.compile(
    r"(?i:\baccording to) (?:the |our |your )?[`\"“*]?[A-Z0-9]"
    r"|\b(?i:as (?:stated|described|noted|defined|explained|set out) in|(?<!power )source:) (?:the |our )?[`\"“*]?[A-Z§\d]"
    r"|\b(?i:per|see|under) (?:the |our )?(?:[Ss]ection|[Cc]lause|[Aa]rticle|§|[Cc]hapter) ?\d"
    r"|\b(?:DOI|doi|ISBN|arXiv)\b"
    r"|(?i:^(?:this is) the (?:reference|citation|source)\b)"
    r"|\([A-ZÀ-Þ][\w'’-]+(?: (?:and|&|et al\.?),? ?[\w'’-]*)*,? (?:19|20)\d\d[a-z]?\)"
    r"|\((?:19|20)\d\d[a-z]?\)\."
    r"|(?i:^(?:laut|gemäß|según|d(?:'|’)après|selon|secondo|segundo|volgens)\b)"
)
RESTATEMENT = _any(
    r"^thank(?:s| you)\b.*\bfor \w+ing\b",
    r"^(?:as |since |because |given that |when |to (?:confirm|recap|summari[sz]e), )?you(?:'ve|’ve| have)?(?: also| just| already| previously| earlier)? "
    r"(?:said|asked|gave|mentioned|told|requested|wanted|provided|specified|stated|wrote|described|shared|noted|"
    r"indicated|set a|named|asked for|confirmed|chosen|chose|selected|picked|opted|agreed|decided|approved|authori[sz]ed|listed|"
    r"expressed|preferred|wished)\b",
    r"^(?:as )?(?:per your request|you requested|requested)\b|^(?:your|the) (?:stated )?(?:request|limit|budget|target|goal|preference|(?:desired|preferred|requested|intended) \w+) (?:was|is)\b(?!(?: \w+ly| not| also| just)* (?:breached|exceeded|reached|hit|met|missed|passed|crossed|kept|broken|used|raised|lowered|changed|set|fulfilled|achieved|overrun|complied)\b)",
    r"^I(?:'ve|’ve| have)? (?:understand|see|know|take it|notice|noted?)(?: down)?(?: that)? (?:that |the \w+ )?you(?:'d|’d| would| want| need|"
    r" wish| prefer| mentioned| requested|'re asking|’re asking| are asking| asked)\b",
    r"^(?:(?:just )?to (?:confirm|recap|summari[sz]e|clarify), )?you(?:(?:'d|’d| would) (?:like|want)|(?:'re|’re| are) (?:asking|looking for|"
    r"requesting)| wish| want)\b|^for (?:confirming|choosing|selecting|providing|sharing|letting me know)\b",
    r"^(?:this|that|it)(?:['’]s| is) the only \w+ (?:that )?you (?:want|wish|need|asked)\b",
    r"^there (?:are|is) no (?:other|further|more) [^.;]*\byou (?:want|wish|need|would like)\b",
    r"^(?:sie (?:haben|hatten) (?:gesagt|gefragt|angegeben|erwähnt)|usted (?:dijo|mencionó|indicó|pidió)|"
    r"vous avez (?:dit|demandé|indiqué|mentionné)|ha (?:detto|chiesto|indicato))\b",
)
# Words for "nothing is there". Not "no longer", "no more than", "at no charge", "No. 14".
ABSENCE = _any(
    r"\bno\b(?!\.? ?\d)(?! (?:longer|more than|later|earlier|less|fewer|matter|problem|doubt|need|worries)\b)"
    r"(?<!\bat no)(?<!\bin no)"
    # "runs with no restarts" describes what is there; "came back with no results" does not.
    r"(?<!\bwith no(?! (?:results?|match\w*|hits?|records?|data|answer|response|entries)))(?= [\w`\"“])",
    r"\b(?:none|nothing|nobody|nowhere|no one)\b",
    r"(?:\b(?:no|not|never|unable to|failed to|cannot)|n(?:'|’)t)\b(?: \w+){0,3} (?:find|found|locate|see|"
    r"list|listed|show|shown|include any|contain|mention|mentioned|available|have any|have access|retrieve|read|"
    r"return(?:ed)? (?:any|anything|results?|data|match\w*)|any results|give you|tell you|say whether|determine)\b",
    # "whether it was cleared is not recorded", "isn't mentioned", "not on file"
    r"(?:\b(?:is|are|was|were|has been|have been)(?: \w+ly| yet| still| itself)? not|\b(?:is|are|was|were|hasn(?:'|’)t been)n(?:'|’)t|\bhasn(?:'|’)t been|\bnot)(?: \w+ly| yet)? (?:recorded|mentioned|stated|specified|noted|"
    r"documented|indicated|known|given|provided|listed|disclosed|published|reported|on (?:file|record)|in (?:the|our|your|my) "
    r"(?:results?|records?|lists?|data|system|search|document\w*|notes?))\b",
    r"\b(?:says?|said|tells?|gives?|mentions?|states?) nothing\b|\bdo(?:es)?(?:n(?:'|’)t| not) (?:say|mention|state|specify|tell|record|indicate)\b",
    r"n(?:'|’)t \w+ any\b|\b(?:is|are|was|were) (?:not available|unavailable|missing|empty|blank|unknown|not (?:listed|provided|given|stated))\b",
    r"\b(?:without any|zero) (?:results?|match(?:es)?|records?|documents?|hits?)\b|\bempty (?:list|result)\b",
)
OTHER_LANGUAGES_ABSENCE = _any(
    r"\b(?:keine?[nrms]?|nichts|niemand|nicht (?:gefunden|verfügbar|vorhanden|hinterlegt))\b",
    r"\b(?:no (?:hay|existe|existen|se (?:encontr|ha)\w*|encontr\w+|tiene)|ning[uú]n\w*|nada|nadie)\b",
    r"\b(?:aucune?|rien|personne n|n(?:'|’)y a pas|introuvable)\b|\b(?:nessun\w*|niente|nulla|non (?:ci sono|c'è|ho trovato))\b",
    r"\b(?:nenhum\w*|não (?:há|existe|encontr\w+))\b|\b(?:geen|niets|niemand)\b",
)
# A rule, not an absence: "no further changes can be made", "no fee is required", "Armrest: none".
RULED_OUT = _any(
    r"\bno (?:(?:further|additional|other|more) )?[\w/ -]{2,60}?\b(?:can|cannot|will|would|may) be (?:possible|made|done|processed|accepted|"
    r"allowed|modified|cancell?ed|changed|returned|exchanged)\b",
    r"\bno (?:(?:further|additional|other|more) )?[\w/ -]{2,60}?\b(?:is|are) (?:possible|needed|required|necessary|allowed|permitted)\b",
    r": none\b",
)
# "If you have no account, …": what is only supposed.
SUPPOSED = re.compile(
    r"^(?:if|unless|in case|should you|since|because|given that|as|when|while)\b[^,]*,\s*",
    re.IGNORECASE,
)
ABSENT_CELL = re.compile(
    r"(?:n/?a|none|nil|null|unknown|unavailable|not (?:available|found|listed|provided|specified|applicable|given)|"
    r"no (?:data|result|results|value|information)|[-–—]+|keine?|ninguno|aucun|nessuno|\?)$",
    re.IGNORECASE,
)
