"""What kind each clause is: exempt phrases are narrow, deeds are found wherever they hide."""

from __future__ import annotations

import pytest

from affidavit.stages.ground.split import split_claims
from affidavit.stages.ground.split.kinds import EXEMPT

KINDS = {
    "greeting": [
        "Hello!", "Hi Noah,", "You're very welcome, Elif!", "Have a wonderful time in Split!", "Done.", "Sure!",
        "Thank you for your patience, Noah.", "I'm glad I could help.", "I'm the support assistant of Juniper & Co.",
        "Great question!", "I apologize for the inconvenience.", "Safe travels!", "Here are the details:",
        "I hope this helps!", "You're all set!", "Gern geschehen!", "¡Buen viaje!", "Merci pour votre patience.",
        "Grazie mille!", "Obrigado pelo contato!", "Graag gedaan!", "I've listed the options below:",
    ],
    "offer": [
        "I can cancel it for you if you want.", "Would you like me to try again in a minute?",
        "Let me know if you'd like the prices in euros.", "Feel free to reach out any time.",
        "Please provide your email address.", "Could you please confirm the order number?",
        "To proceed, please confirm the new address.", "What can I do for you today?",
        "If you'd like, I can also move your appointment to March 12.", "Shall I look for it under another name?",
        "If you have any other questions, just ask.", "Is there anything else I can help with?",
        "I'd be happy to look into that.", "Kann ich sonst noch etwas für Sie tun?", "¿Necesita algo más?",
        "Souhaitez-vous que je réserve ?", "Posso aiutarla con altro?", "Posso ajudar em mais alguma coisa?",
        "Kan ik nog iets voor u doen?", "Could you confirm that the address is 12 Elm Street?",
    ],
    "question": ["Which of the two orders is it?", "When did it arrive?", "Welche Bestellung ist es?"],
    "plan": [
        "I'll check that for you.", "Let me look that up.", "I will now proceed with the change.",
        "Once you confirm, I'll cancel it.", "First, I need to verify your identity.",
        "For each of these orders, I need to file the return.", "Give me a moment.", "Ich werde das prüfen.",
    ],
    "opinion": [
        "That sounds like a great choice!", "I'd recommend the second one.", "I recommend the LX2085.",
        "It looks like a lovely place.",
    ],
    "restatement": [
        "You gave a limit of €180 per night.", "You mentioned two dogs.", "You asked for the red one.",
        "I understand that you want to remove the headphones.", "As you requested, the seat is by the window.",
    ],
    "citation": [
        "Heating costs fell by 38% on average [2].", "According to the Service Agreement v2.1, notice is 60 days.",
        "Delacroix, Anne (2020). *Lakes: A Survey*. Limnology Notes 14(2), pp. 77–91.",
        "As stated in Section 4, the fee is $20.", "The DOI is 10.5281/x.1.",
    ],
    "action": [
        "I've cancelled order W12.", "I have changed the address to 12 Elm Street.", "Your order has been cancelled.",
        "Lena Brandt has been notified.", "The reminder e-mail is queued.", "I've added a late check-out at no charge.",
        "I went ahead and booked it.", "I've gone ahead and cancelled it.", "I was able to move your appointment.",
        "I sent the invoice to anna@example.com.", "Your appointment is now booked.", "We've sent a confirmation.",
        "As you requested, I booked the 9:15 train.", "I've saved it to your drafts.",
        "Good news: your refund of $89 has been issued!", "Enjoy the free upgrade we've added!",
        "Would you like the $50 voucher we've credited?", "Ich habe Ihre Bestellung storniert.",
        "Ihre Bestellung wurde storniert.", "He cancelado su reserva.", "Su reserva ha sido cancelada.",
        "J'ai annulé votre commande.", "Ho annullato la prenotazione.", "Cancelei o seu pedido.",
        "Ik heb uw afspraak verzet.", "Cancelled!", "Updated the address to 12 Elm Street.", "We threw in a free bottle.",
        "I've been able to move it to Friday.",
    ],
    "absence": [
        "I have no live rate for your 2,500 EUR.", "No documents were found.", "There are no weather warnings.",
        "The search results don't list the fee.", "I couldn't find a reservation.", "Its metrics could not be read.",
        "You have no requests pending.", "No non-test code calls it any more.", "None of them is open.",
        "I wasn't able to find an account.", "Es wurden keine Ergebnisse gefunden.",
        "No se encontraron vuelos para el 3 de mayo.", "Je n'ai trouvé aucun vol.",
    ],
    "fact": [
        "Cancelled orders are refunded within 5 days.", "The parcel was delivered on January 9.", "The refund of $89.00 has been paid out.",
        "I found three flights.", "I've found the order with the two watches.", "I checked both accounts.",
        "I can see that your order shipped.", "I can confirm that it was approved.", "All teas are 20% off this week.",
        "Please note that refunds take 5 days.", "Order HW-1 is not eligible for a refund.",
        "It was received on March 2.", "Flight LH1 has been cancelled by the airline.", "It has not been signed yet.",
        "There is no longer a fee.", "The driver left it at No. 14.", "Late check-out comes at no charge.",
        "If you cancel today, you'll be charged $25.", "I'll add a €20 voucher to your account.",
        "We can offer you a 15% discount.", "I recommend it because it is €10 cheaper.",
        "You can still send it back.", "Welcome to the club: you have 500 points.",
        "The log says the template was not found.", "I need 3 more days is what the ticket says.",
        "El andén aún no está asignado.", "It costs $89 per seat per month.",
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "answer"), [(kind, text) for kind, texts in KINDS.items() for text in texts]
)
def test_kind(kind: str, answer: str) -> None:
    assert [claim.kind for claim in split_claims(answer)] == [kind]


HIDDEN = [
    "You're welcome! I've added a late check-out for you at no charge.",
    "Hello! All teas are 20% off this week.",
    "Sure, your refund of $40 is on its way.",
    "I'm sorry, but your account was closed on May 2.",
    "Have a great day! Your gate is B12.",
    "Thanks, Noah, and I've waived the fee.",
    "Happy to help: the fee is $20.",
    "Let me know if you need more, the price is $30.",
    "Feel free to ask; your seat is 14C.",
    "Enjoy your complimentary breakfast!",
    "I can confirm your flight leaves at 7:10.",
    "If you need help, call 555-0199.",
    "Dafür brauchen Sie Ihre Kundennummer 4711.",
    "Please find your 3 invoices in the portal.",
]


@pytest.mark.parametrize("answer", HIDDEN)
def test_small_talk_hides_nothing(answer: str) -> None:
    assert any(claim.kind not in EXEMPT for claim in split_claims(answer))


def test_a_state_behind_a_label_is_no_deed() -> None:
    answers = [
        "- Status: Cancelled",
        "| Order | Status |\n|---|---|\n| W1 | Cancelled |",
        '{"status": "Cancelled"}',
    ]
    assert [split_claims(answer)[-1].kind for answer in answers] == ["fact"] * 3


def test_who_is_said_to_have_done_it() -> None:
    said = {
        "I've cancelled it.": "agent",
        "It has been cancelled.": "unsaid",
        "Ihre Bestellung wurde storniert.": "unsaid",
        "It costs $5.": "",
    }
    assert {text: split_claims(text)[0].performer for text in said} == said


def test_an_offer_may_take_a_price_for_granted() -> None:
    assert split_claims("I can upgrade you to Business for $99 a month.")[0].presumes
    assert not split_claims("I can look it up for you.")[0].presumes


CRITICAL = {
    "It costs $5.": True,
    "It arrives on Friday.": True,
    "Order TK-90 is open.": True,
    "Priya Anand is organizing it.": True,
    "I've cancelled it.": True,
    "It fell sharply [1].": True,
    "The room is quiet.": False,
    "Hello! I can help.": False,
}


@pytest.mark.parametrize(("answer", "critical"), CRITICAL.items())
def test_critical(answer: str, critical: bool) -> None:
    assert split_claims(answer)[-1].critical is critical


def test_markers_are_kept() -> None:
    [claim] = split_claims("Costs fell by 38% [2], [3].")
    assert claim.citations == ("[2]", "[3]")
