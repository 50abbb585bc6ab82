"""Running text that states several fields of a domain in one breath: no labels, only what people write.

= Domain
text with {first_name_of_a_concept} slots
"""

STORIES = """
= Invoice
On {invoice_date} {vendor} billed {customer} {total}, payable by {due_date}.
Please find attached invoice {invoice_number} over {total}. It falls due on {due_date}. Best regards, {vendor}
{customer} still owes {vendor} {total} from {invoice_date}; the number is {invoice_number}.
We at {vendor} thank you for your order. The goods cost {subtotal}, to which {tax} of tax is added, so please transfer {total} to {iban}.
Hello {customer}, a friendly reminder: {total} was due on {due_date} and has not arrived. Quote {invoice_number}. Yours, {vendor}
After a discount of {discount} the bill of {vendor} (no. {invoice_number}, {invoice_date}) comes to {total}.
Got the bill from {vendor} today: {subtotal} net, {tax} VAT, {total} all in. Has to be paid before {due_date}.
= Receipt
Stopped at {store} on {date} around {time} and spent {total}.
{store}, {address}. {date} {time}. Served by {cashier}. Total {total}, cash {cash}, change {change}. Thank you!
I paid {cash} for {total} worth of things and {cashier} gave me {change} back at {store}.
Lost the receipt ({receipt_number}) from {store}, it was {total} on {date}.
= Order
Thanks {customer}! We got your order {order_number} on {ordered_on}; it ships to {shipping_address} and should arrive by {delivery_date}.
Hi, I am {customer}. I ordered on {ordered_on} (no. {order_number}) and it still isn't here. It was meant for {recipient}, {shipping_address}.
{recipient} will get the parcel {customer} paid {total} for. Postage was {shipping_cost}.
Order {order_number}: {total} including {shipping_cost} shipping, to {recipient} at {shipping_address}, expected {delivery_date}. Invoice to {billing_address}.
Please send my order {order_number} to {shipping_address} but the bill to {billing_address}. Thanks, {customer}
= Shipment
{sender} handed a parcel of {weight} to {carrier} in {origin} on {shipped_on}; {recipient} in {destination} should have it by {eta}. Tracking {tracking_number}.
{carrier}: parcel {tracking_number} left {origin} for {destination}.
Your shipment from {sender} is on its way to {destination}. {carrier} expects to deliver it to {recipient} on {eta}.
We shipped {parcels} boxes, {weight} in all, from {origin} to {destination} with {carrier}.
= Ticket
{reporter} wrote on {created} that {product} {version} fails. I gave it to {assignee} as {priority} priority, see {ticket_id}.
{ticket_id} is now with {assignee}. {reporter} first saw it on {created} in {product}.
Hi {assignee}, can you look at {ticket_id}? {reporter} is blocked since {created}. Contact: {contact}
Closed {ticket_id} on {resolved_on}. Thanks to {assignee} for the fix and {reporter} for the report.
= JobAdvert
{company} in {location} is looking for a {title}. You need {experience_years} years of experience and earn between {salary_min} and {salary_max}. Apply until {deadline} at {apply_to}.
Join {company} as {title}! Based in {location}, starting {start_date}. Send your papers to {apply_to} by {deadline}.
A friend at {company} told me they need a {title} from {start_date} on, {salary} a year, office in {location}.
= BankTransfer
{payer} sent {amount} to {payee} on {booked_on}, reference {reference}.
{payee} got {amount} from {payer}; the bank took {fee}. The new balance is {balance}.
Transfer of {amount} from {from_iban} to {to_iban}, value date {value_date}, booked {booked_on}, for {reference}.
I ({payer}) wired {amount} to {payee} at {bank} on {booked_on}, but {payee} says nothing has come.
= Meeting
{organizer} invites {attendees} to talk about {topic} on {date}, {start} to {end}, in {room}.
We met on {date} at {start}. {organizer} led, {note_taker} wrote the minutes. Next time: {next_meeting}.
Can we meet on {date} at {start} in {room}? {organizer} wants to discuss {topic}. It will be over by {end}.
= Product
The {name} by {brand} now costs {price} instead of {old_price}. Order code {sku}, {stock} left.
{brand} {name}, {color}, {weight}, {price}. Rated {rating} out of 5 by our customers.
I bought the {name} for {price}; it weighs {weight} and measures {width} by {height}. {brand} gives {warranty_years} years of warranty.
= Contract
Between {provider} and {client}, signed on {signed_on} in {jurisdiction}, running from {effective_date} to {end_date}, at {monthly_fee} a month.
{client} hires {provider} from {effective_date} for {monthly_fee} per month. Notice: {notice_months} months. A deposit of {deposit} was paid.
{signatory} signed the agreement {contract_number} on {signed_on}; it ends on {end_date}.
= Employee
{name}, born {birth_date}, joined on {hired_on} as {position} and reports to {manager}.
Please welcome {name} ({email}, {phone}), our new {position}. {manager} will show them around.
{manager} asks for a raise for {name}, {position}, to {salary}. Staff number {employee_id}.
= Contact
{name}\\n{title}, {company}\\n{street}, {postal_code} {city}\\nTel. {phone} | {email}
Met {name} from {company} at the fair. They are {title} there, mail {email}, phone {phone}.
Hi, I'm {name}, {title} at {company} in {city}. Call me on {mobile} or write to {email}.
Best regards\\n\\n{name}\\n{title}\\n{company}\\n{phone}\\n{email}\\n{website}
{name} moved to {street}, {city} {postal_code}, {country}. The number is still {phone}.
You may know {name} ({company}). Born on {birthday}, lives in {city}.
= Event
{name}: {date} at {venue}, {city}. Doors {doors}, start {start_time}. Tickets {ticket_price}.
{host} presents {speaker} at {venue} on {date}. We start at {start_time} and finish around {end_time}. Entry {ticket_price}, {capacity} seats.
Are you coming to {name} in {city}? It's on {date}, {start_time}, and {speaker} will be there!
= Email
{sender_name} ({sender}) wrote to {recipient} on {date} about {subject}.
Forward from {sender}: {subject}. Copy to {cc}. The file {attachment} is attached.
= Patient
{patient}, born {birth_date}, was seen by {doctor} on {visit_date}. Diagnosis: {diagnosis}. {medication} {dose}.
Dear colleague, thank you for seeing {patient} (DOB {birth_date}). Temp. {temperature}, pulse {heart_rate}, weight {weight}. I prescribed {medication} and will see them again on {follow_up}. {doctor}
{doctor} saw {patient} on {visit_date} for {diagnosis} and gave {medication}, {dose} daily; review on {follow_up}.
= Recipe
{author} cooks {name}: {prep_minutes} minutes of preparation, {cook_minutes} in the oven, serves {servings}.
{name} for {servings}, {calories} calories each. Takes {cook_minutes} minutes to cook. By {author}.
= Property
{rooms} rooms, {area} m², {address}, for {price}. Built {built}. Call {agent} on {agent_phone}.
To let from {available_from}: flat with {bedrooms} bedrooms and {bathrooms} bathrooms at {address}, {rent} per month.
{agent} is selling the house at {address}. It dates from {built}, has {bedrooms} bedrooms, {area} m² and costs {price}.
= Flight
{passenger} flies from {origin} to {destination} with {flight_number} on {departure_date}, {departure_time} to {arrival_time}, seat {seat}, gate {gate}.
Your {airline} booking {booking_code} is confirmed: {origin} - {destination}, {departure_date}, leaving {departure_time}, landing {arrival_time}.
{flight_number} to {destination} leaves {origin} at {departure_time}. {passenger} has seat {seat}.
Mum lands in {destination} at {arrival_time} on {departure_date}, coming from {origin} with {airline}.
= HotelBooking
Dear {guest}, we look forward to welcoming you at {hotel} from {check_in} to {check_out}. Your {nights} nights cost {total}.
{guest} wants a room at {hotel} for {adults} adults and {children} children, {check_in} until {check_out}.
Booked {hotel} for {nights} nights at {rate} each, arriving {check_in}. Confirmation {confirmation}.
= LogEntry
{timestamp} {level} {host} {service}: {message} ip={ip} user={user}
[{timestamp}] [{level}] {service} - {message} ({duration_ms} ms, id {request_id})
{ip} - {user} [{timestamp}] "GET {path} HTTP/1.1" {status_code} {bytes}
{timestamp} {host} {service}[{duration_ms}]: {level} {message}
{level} {timestamp} {request_id} {path} took {duration_ms}ms status {status_code}
= Car
{year} {make} {model}, {mileage} km, {fuel}, {price}. Ask {seller}.
For sale: my {make} {model} from {year} with {power_hp} hp, {owners} owners before me, {mileage} km on the clock. I want {price}. {seller}
The {make} with the plate {plate} (chassis {vin}) has {mileage} km.
= Book
{title} by {author} ({publisher}, {year}), {pages} pages, ISBN {isbn}, {price}.
{author}: {title}. Translated by {translator}. {publisher} {year}.
I just finished "{title}" by {author}. {pages} pages of pure joy. {rating} stars from me.
= SensorReading
{place}, {measured_at}: {temperature} degrees, humidity {humidity}, wind {wind_speed}, pressure {pressure}.
Sensor {station} in {place} reports {temperature} °C and {humidity} at {measured_at}; battery {battery}.
= Course
{name} ({code}) with {teacher} begins on {starts_on} in room {room} and costs {fee}. {credits} credits.
{student} took {name} with {teacher} and got {grade} in the exam on {exam_date}.
= Movie
{title} ({year}), directed by {director}, stars {actor}. {minutes} minutes, rated {rating}.
Saw {title} last night at {cinema}. {director} made it, {actor} plays the lead.
= UtilityBill
{provider} charges {customer} {amount} for {usage} from {period_start} to {period_end}.
Meter {meter_number} went from {old_reading} to {new_reading}; {customer} must pay {amount} by {due_date}.
= SportsMatch
{home_team} beat {away_team} {home_score} to {away_score} at {stadium} on {date}. {scorer} scored.
{home_team} {home_score} - {away_score} {away_team}. Attendance {attendance}. Referee {referee}.
= Subscription
{subscriber} pays {price} for the {plan} plan, renews {renews_on}. Started {started_on}.
Your {plan} subscription ({subscription_id}) will renew on {renews_on} for {price}. Cancel before {cancel_by}.
= Candidate
{name} studied {degree} at {university}, graduated {graduation_year}, and now works as {current_role} at {current_employer}.
{name}, {email}, {phone}. Wants {expected_salary}. Free from {available_on}.
= Release
{project} {version} is out ({released_on}). It replaces {previous_version}. Maintainer: {maintainer}. See {changelog_url}.
{maintainer} tagged {version} of {project} at {commit}, {released_on}.
= ParkingTicket
{plate} was parked at {place} on {date} at {time}. Fine: {fine}, to be paid before {pay_by}. Officer {officer}.
Officer {officer} noted {plate} in {place}. The fine is {fine}.
= Donation
{donor} gave {amount} to {charity} on {donated_on}, receipt {receipt_id}.
{charity} thanks {donor} for {amount}.
= ServerInventory
{hostname} ({ip}) runs {os} {os_version} with {cpu_cores} cores and {memory_gb} GB, owned by {owner}.
{owner} looks after {hostname}, {ip}, in {datacenter}. Last patched {last_patched}.
= Warranty
{customer} bought the {product} at {dealer} on {bought_on}; the warranty ends on {expires_on}. Serial {serial}.
The {product} with serial number {serial} broke on {defect_date}. {dealer} sold it to {customer} on {bought_on}.
= Survey
{respondent}, {age}, from {city} gave us {score} out of 10 on {answered_on}.
= Song
{title} by {artist} from the album {album} ({year}), {bpm} bpm, written by {composer}.
{composer} wrote {title} for {artist}.
= RestaurantReview
{reviewer} ate {dish} at {restaurant} in {city} on {visited_on}, paid {price_paid} and gave {stars} stars.
{restaurant}: {stars} stars from {reviewer}. Try the {dish}.
= Prescription
{prescriber} prescribed {drug} {strength} for {patient}, {times_daily} times a day for {days} days, on {issued}.
{patient} takes {drug}, {times_daily} x {strength}. {pharmacy} filled it.
"""
