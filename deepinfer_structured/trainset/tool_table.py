"""The tools that training and held-out splits ask for."""

TOOLS = """
get_weather: Current weather of a place | city=city; unit=enum:celsius,fahrenheit[in {}] | What's the weather like in {city}?; weather in {city} please; Is it raining in {city} right now?; How warm is it in {city}?
get_forecast: Weather forecast for a day | city=city; date=date | What will the weather be in {city} on {date}?; Forecast for {city}, {date}; Will it rain in {city} on {date}?
send_email: Send an e-mail | to=email; subject=phrase; body=quoted[saying {}] | Send a mail to {to} about {subject}; email {to} with the subject "{subject}"; Write to {to}, subject: {subject}
create_event: Put an event into the calendar | title=title; date=date; time=clock[at {}] | Put {title} into my calendar for {date}; Schedule "{title}" on {date}; new event: {title}, {date}
set_reminder: Set a reminder | text=phrase; at=clock | Remind me at {at}: {text}; At {at}, remind me of "{text}"; set a reminder "{text}" for {at}
set_alarm: Set an alarm | time=clock | Wake me up at {time}; Alarm for {time}; set my alarm to {time}
set_timer: Start a timer | minutes=small | Start a timer for {minutes} minutes; {minutes} minute timer please; Count down {minutes} minutes
convert_currency: Convert money | amount=count; source=enum:USD,EUR,GBP,JPY,CHF; target=enum:SEK,PLN,INR,BRL,CAD | How much is {amount} {source} in {target}?; Convert {amount} {source} to {target}; {amount} {source} in {target}
translate: Translate a text | text=quoted; language=enum:German,French,Spanish,Italian,Polish | Translate "{text}" into {language}; How do you say "{text}" in {language}?; In {language}, please: {text}
search_flights: Search for flights | origin=city; destination=city; date=date | Find flights from {origin} to {destination} on {date}; I need to fly to {destination} from {origin} on {date}; flights {origin} - {destination}, {date}
book_hotel: Book a hotel room | city=city; check_in=date; nights=small | Book a hotel in {city} for {nights} nights from {check_in}; I need a room in {city}, {nights} nights, arriving {check_in}
search_hotels: Look for hotels | city=city; max_price=count[under {}] | Which hotels are there in {city}?; Show me hotels in {city}; find a place to stay in {city}
order_food: Order a dish | dish=food; quantity=small; restaurant=company[from {}] | Order {quantity} {dish}; I'd like {quantity} x {dish}; get me {quantity} portions of {dish}
find_recipe: Find a recipe | dish=food; servings=small[for {} people] | How do I cook {dish}?; A recipe for {dish} please; I want to make {dish}
play_music: Play music | artist=person; song=title[the song {}] | Play something by {artist}; Put on {artist}; I want to hear {artist}
call_contact: Call someone | name=person | Call {name}; Ring {name} for me; phone {name} please
send_message: Send a text message | recipient=first_name; text=quoted | Text {recipient}: {text}; Tell {recipient} "{text}"; message {recipient} that {text}
add_contact: Save a contact | name=person; phone=phone; email=email[and the mail {}] | Save {name} with the number {phone}; New contact {name}, {phone}; Add {name} ({phone}) to my contacts
create_ticket: Open a support ticket | title=phrase; priority=enum:low,medium,high | Open a {priority} priority ticket: {title}; Please file "{title}" as {priority}; ticket ({priority}): {title}
close_ticket: Close a ticket | ticket_id=identifier | Close ticket {ticket_id}; {ticket_id} is done, close it; Please mark {ticket_id} as closed
assign_ticket: Give a ticket to someone | ticket_id=identifier; assignee=person | Assign {ticket_id} to {assignee}; Let {assignee} handle {ticket_id}; {assignee} should take {ticket_id}
track_parcel: Track a parcel | tracking_number=longid | Where is my parcel {tracking_number}?; Track {tracking_number}; any news about shipment {tracking_number}?
cancel_order: Cancel an order | order_id=identifier; reason=phrase[because {}] | Cancel my order {order_id}; I don't want order {order_id} any more; please stop {order_id}
create_invoice: Write an invoice | customer=company; amount=money; due_date=date[due {}] | Invoice {customer} for {amount}; Write a bill of {amount} to {customer}; bill {customer}: {amount}
transfer_money: Send money | recipient=person; amount=money; iban=iban[to account {}] | Send {amount} to {recipient}; Transfer {amount} to {recipient}; pay {recipient} {amount}
get_balance: Balance of an account | account=identifier | What's the balance of {account}?; How much is left on {account}?
get_stock_price: Price of a share | symbol=pattern:@@@|@@@@ | What does {symbol} trade at?; Stock price of {symbol}; how is {symbol} doing?
calculate: Evaluate arithmetic | expression=pattern:##_+_##|#_*_##|###_-_##|##_/_# | What is {expression}?; Compute {expression}; {expression} = ?
turn_on_light: Switch a light on | room=enum:kitchen,bedroom,bathroom,hall,office; brightness=count[at {} percent] | Turn on the light in the {room}; Lights on in the {room}; it's dark in the {room}, light please
set_temperature: Set the thermostat | room=enum:kitchen,bedroom,bathroom,hall,office; degrees=small | Set the {room} to {degrees} degrees; Make it {degrees} degrees in the {room}; {room}: {degrees} degrees
lock_door: Lock a door | door=enum:front,back,garage | Lock the {door} door; Is the {door} door locked? Lock it
search_products: Search a shop | query=thing; max_price=count[below {}] | Find {query}; I am looking for {query}; search the shop for {query}
add_to_cart: Put something into the cart | product=thing; quantity=small | Add {quantity} {product} to my cart; put {quantity} x {product} in the basket
read_file: Read a file | path=path | Show me {path}; Open {path}; what's in {path}?
delete_file: Delete a file | path=path | Delete {path}; remove the file {path}; get rid of {path}
run_query: Run a database query | database=single; query=pattern:SELECT_*_FROM_%%%%_LIMIT_## | Run {query} on {database}; on {database}: {query}
restart_service: Restart a service | service=single; host=host | Restart {service} on {host}; {service} on {host} hangs, restart it
ping_host: Ping a host | host=ip; count=small[{} times] | Ping {host}; is {host} up?; check whether {host} answers
create_user: Create an account | username=username; email=email; role=enum:admin,editor,viewer | Create the user {username} ({email}) as {role}; New {role} account {username}, mail {email}
reset_password: Reset a password | email=email | Reset the password of {email}; {email} forgot the password; new password for {email}
log_workout: Record a workout | activity=enum:running,swimming,cycling,yoga; minutes=count | I did {minutes} minutes of {activity}; Log {activity}, {minutes} min; {activity} for {minutes} minutes today
find_route: Find a way | start=address; goal=address; mode=enum:car,bike,train[by {}] | How do I get from {start} to {goal}?; Directions from {start} to {goal}; route: {start} to {goal}
book_table: Reserve a table | restaurant=company; guests=small; time=clock | A table for {guests} at {restaurant}, {time}; Book {restaurant} for {guests} people at {time}
find_doctor: Find a doctor | specialty=job; city=city | I need a {specialty} in {city}; find a {specialty} near {city}
define_word: Look up a word | word=single | What does {word} mean?; Define {word}; look up "{word}"
open_url: Open a page | url=url | Open {url}; go to {url}; show me {url}
"""
HELDOUT_TOOLS = """
rent_bike: Rent a bike | station_name=single; ride_hours=small | I want to rent a bike at {station_name} for {ride_hours} hours; a bike from {station_name}, {ride_hours} hours
water_plants: Water the plants | bed_name=single; litres=count | Give {bed_name} {litres} litres of water; water {bed_name}, {litres} litres
charge_car: Charge a car | plate_text=plate; target_percent=count | Charge {plate_text} up to {target_percent} percent; Load the car {plate_text} to {target_percent} %
print_label: Print a label | parcel_ref=identifier; copies=small | Print {copies} labels for {parcel_ref}; {parcel_ref}: {copies} label copies
renew_loan: Renew a library loan | loan_ref=identifier; until=date | Renew {loan_ref} until {until}; keep the loan {loan_ref} till {until}
post_review: Post a review | reviewed_item=thing; star_count=small | Give {reviewed_item} {star_count} stars; rate {reviewed_item} with {star_count}
schedule_backup: Plan a backup | server_name=host; backup_time=clock | Back up {server_name} at {backup_time}; every day at {backup_time} a backup of {server_name}
feed_pet: Feed an animal | pet_name=first_name; food_grams=count | Feed {pet_name} {food_grams} grams; {pet_name} gets {food_grams} grams of food
start_washer: Start the washing machine | program=enum:cotton,wool,quick,eco; spin_speed=count | Wash on {program} with {spin_speed} rpm; start the {program} programme, spin {spin_speed}
report_pothole: Report road damage | road_name=street; depth_cm=small | There is a pothole at {road_name}, {depth_cm} cm deep; hole of {depth_cm} cm at {road_name}
reserve_court: Reserve a tennis court | court_no=small; player_name=person; slot=clock | Court {court_no} for {player_name} at {slot}; {player_name} wants court {court_no}, {slot}
donate: Give to a cause | charity=company; gift_amount=money | Donate {gift_amount} to {charity}; give {charity} {gift_amount}
"""
