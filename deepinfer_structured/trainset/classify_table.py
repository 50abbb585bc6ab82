"""Labels and the sentences that speak for them."""

TASKS = """
= sentiment
positive: I love this {thing}; What a wonderful {thing}, thank you; The staff at {company} were so friendly; Best {food} I ever had; Works perfectly, very happy; Exceeded my expectations; Five stars, would buy again; My family enjoyed every minute in {city}; Great quality and quick delivery
negative: I hate this {thing}; What a terrible {thing}, never again; The staff at {company} were rude; Worst {food} I ever had; It broke after two days; A complete waste of money; One star, avoid; We were bored to death in {city}; Awful quality and late delivery; I want my money back
neutral: The {thing} arrived on Tuesday; {company} sells {thing}; It is a {thing}; I bought it in {city}; The {food} comes in two sizes; It does what it says, nothing more; It is neither good nor bad
= priority
high: Production is down for everyone; This is an emergency, act now; Customers cannot log in at all; We are losing money every minute; Please drop everything; The server is on fire
medium: It would be good to have this fixed this week; Some users see a wrong total; The export fails now and then; It slows us down a little
low: No hurry at all; Just a small typo; Whenever you find the time; A cosmetic matter; It would be nice to have some day
= category
billing: I was charged twice; My invoice {id} is wrong; I would like a refund; The payment failed; Why is my bill so high?; Please send me a receipt
technical: The app crashes at start; I get an error when I log in; The page does not load; The update broke my {thing}; It freezes after the login
shipping: Where is my parcel?; The delivery is late; My package {id} never arrived; The box was damaged on the way; Please deliver to another address
account: I forgot my password; Please delete my account; How do I change my e-mail address?; I cannot change my username; Close my profile
sales: Do you offer a discount for schools?; I would like a quote for 50 licences; Which plan is right for us?; Can I get a demo?
= language
english: This is a text about the weather; Where is the station?; We will meet tomorrow; The children are playing outside
german: Das ist ein Text über das Wetter; Wo ist der Bahnhof?; Wir treffen uns morgen; Die Kinder spielen draußen
french: C'est un texte sur la météo; Où est la gare ?; Nous nous verrons demain; Les enfants jouent dehors
spanish: Este es un texto sobre el tiempo; ¿Dónde está la estación?; Nos vemos mañana; Los niños juegan fuera
italian: Questo è un testo sul tempo; Dov'è la stazione?; Ci vediamo domani; I bambini giocano fuori
dutch: Dit is een tekst over het weer; Waar is het station?; We zien elkaar morgen; De kinderen spelen buiten
polish: To jest tekst o pogodzie; Gdzie jest dworzec?; Spotkamy się jutro; Dzieci bawią się na dworze
portuguese: Este é um texto sobre o tempo; Onde fica a estação?; Encontramo-nos amanhã; As crianças brincam lá fora
= topic
sports: The team won the final; The striker scored twice; The match ended in a draw; She broke the world record in swimming; The coach was fired after the defeat
politics: The parliament passed the law; The minister resigned; The election is in May; The president met the opposition; Voters went to the polls
technology: The new chip is faster; The startup released an app; Researchers trained a new model; The phone has a better camera; A software update is out
business: Shares of {company} rose; {company} reported a profit; The merger was approved; Inflation hit the market; The company cut jobs
science: Astronomers found a planet; The vaccine trial was a success; Biologists discovered a species; The experiment confirmed the theory
travel: Our hotel in {city} had a view of the sea; The flight to {city} took six hours; The old town of {city} is worth a visit
food: The chef served {food}; This restaurant is known for {food}; Add salt and stir; The soup was cooked for hours
weather: Heavy rain is expected; A storm will reach the coast; It stays sunny all week; Snow fell in the hills
health: Drink enough water and sleep well; The patient recovered; Doctors advise more exercise; The flu season has begun
= intent
book: I'd like to reserve a table; Please book a room in {city}; Can I make an appointment?; Two tickets for tonight, please
cancel: I have to call off my reservation; Please cancel my booking; I can't make it, drop my appointment; I no longer need the room
change: Can we move the meeting to Friday?; I need another date; Please reschedule; Could you change the room?
ask: What are your opening hours?; How much is a ticket?; Do you have parking?; Is there a discount?
complain: I am very unhappy with the service; The room was dirty; I waited for two hours; This is unacceptable
thank: Thank you so much for your help; Many thanks; I really appreciate it; You saved my day
greet: Hello there; Good morning everybody; Hi, how are you?; Hey, nice to meet you
= spam
spam: You have won a million dollars; Click here to claim your prize; Cheap pills without prescription; Make money fast from home; Your account is blocked, send your password now; Hot singles in {city}
not_spam: The minutes of our meeting are attached; See you at lunch; The report is due on Friday; Mum asked about the weekend; {person} will join the call
= emotion
joy: I am so happy today; What a lovely surprise; I can't stop smiling; We laughed all evening
anger: I am furious; This makes me so mad; How dare they; I could scream with rage
sadness: I miss her so much; I cried all night; Everything feels empty; My heart is broken
fear: I am scared of the dark; My hands are shaking; What if something happens?; I don't dare to go in
surprise: I did not see that coming; Wow, really?; No way!; I could hardly believe my eyes
= department
sales: A customer wants to buy {thing}; Please send an offer; They ask for prices
engineering: The code does not compile; The bridge design needs a review; We found a bug in the firmware
hr: She wants to take parental leave; We need to hire a clerk; The holiday request is pending
legal: The contract must be reviewed; They threaten to sue; Check the licence terms
finance: The budget is over its limit; Close the books for March; The tax return is due
"""
HELDOUT_TASKS = """
= urgency level
immediate: Someone is trapped in the lift; Smoke comes out of the cellar; The pipe burst and water is everywhere
soon: The lamp in the hall flickers; The heating makes odd sounds; One window does not close
planned: We would like to paint the fence next year; The yearly check is coming up; Think about new carpets some time
= waste bin
paper: An old newspaper; A cardboard box; Last year's phone book
glass: An empty wine bottle; A jam jar; A broken vase
organic: Banana peels; Coffee grounds; Grass from the lawn
electronics: A dead phone; An old keyboard; A broken radio
= season hint
winter: We built a snowman; The lake is frozen; She skied down the hill
summer: We swam in the sea; It was too hot to sleep; Ice cream on the beach
autumn: The leaves turn red; We picked mushrooms; Storms blow the chestnuts down
spring: The tulips bloom; The lambs were born; The last snow melts
= review aspect
price: Far too expensive for what it is; A real bargain; You get a lot for little money
comfort: The seats are soft; My back hurt after an hour; You sink into the cushions
noise: It hums all day; You hardly hear it; The fan is loud
looks: A beautiful design; It looks cheap; The colour is lovely
"""
