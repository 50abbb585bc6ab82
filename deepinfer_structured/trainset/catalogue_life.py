"""Domains of everyday life and machines, in the notation that `catalogue` reads."""

LIFE = """
= Contact, Person, BusinessCard, ContactInfo, Lead | Contact, Business card, Contact details, Address book
person name, full_name, contact_name, contact_person | Name, Full name, Contact, Contact person | My name is {v}.; You can ask for {v}.; This is {v}.
company company, organization, employer, firm | Company, Organisation, Firm, Works for | I work for {v}.; {v} employs them.
job title, job_title, position, role | Title, Job title, Position, Role | My job there is {v}.; I am the {v}.
email email, email_address, mail | E-mail, Email, Mail, e-mail address | Write to me at {v}.; Mail goes to {v}.; You can reach me under {v}.
phone phone, telephone, phone_number | Phone, Tel., Telephone, Call | Call me on {v}.; My number is {v}.
phone mobile, cell, mobile_phone | Mobile, Cell, Mobile phone | On the road I answer {v}.
phone fax, fax_number | Fax, Fax no. | Send a fax to {v}.
url website, homepage, web | Website, Web, Homepage | See {v}.
street street, street_address, address_line | Street, Address, Street address | We are at {v}.
city city, town | City, Town, Place | We live in {v}.
postcode postal_code, zip, postcode, zip_code | Postal code, ZIP, Postcode, ZIP code
country country, nation | Country, Land | We are in {v}.
date birthday, birth_date, date_of_birth | Birthday, Date of birth, Born | I was born on {v}.

= Event, EventListing, Concert, Happening | Event, What's on, Event announcement, Programme
title name, title, event | Event, Title, Name, What | Come to {v}!; We present {v}.
date date, day, event_date | Date, Day, When | It takes place on {v}.; Save the date: {v}.
clock doors, doors_open, admission | Doors, Doors open, Admission | Doors open at {v}.
clock start_time, starts, begins_at | Start, Starts, Begins | It starts at {v}.
clock end_time, ends | End, Ends, Until | It ends at {v}.
company venue, location, place | Venue, Location, Where, Place | Find us at {v}.
city city, town | City, Town | The city is {v}.
person host, organizer, presenter | Host, Organiser, Presented by | {v} hosts the evening.
person speaker, artist, guest | Speaker, Artist, Guest | {v} will be on stage.; You will hear {v}.
money ticket_price, price, admission_fee | Ticket price, Price, Admission fee | Tickets cost {v}.
count capacity, seats, max_guests | Capacity, Seats, Max. guests | There is room for {v}.
bool sold_out, is_sold_out | Sold out, No tickets left
url tickets_url, link | Tickets, Link, More at | Book at {v}.

= Email, Mail, Message, EmailMessage | E-mail, Message, Mail
email sender, from_address, from_email | From, Sender, Sent by | It was sent from {v}.
email recipient, to_address, to_email | To, Recipient, Sent to | It went to {v}.
email cc, copy_to | Cc, Copy | A copy went to {v}.
phrase subject, title | Subject, Re, Title | The subject line is {v}.
date date, sent_on | Date, Sent, Sent on | It was sent on {v}.
person sender_name, author, written_by | Sender name, Written by, Signed | {v} wrote it.
single attachment, file, attached_file | Attachment, Attached, File | A file called {v} is attached.
bool urgent, is_urgent | Urgent, High importance

= Patient, MedicalNote, PatientRecord, Visit | Medical note, Patient record, Discharge letter, Doctor's letter
person patient, patient_name, name | Patient, Patient name, Name | We saw {v} today.; {v} came to the clinic.
date birth_date, dob, date_of_birth | Date of birth, DOB, Born | born on {v}; The patient was born {v}.
person doctor, physician, attending | Doctor, Physician, Attending, Seen by | {v} examined the patient.; Dr. in charge: {v}.
date visit_date, seen_on, date_of_visit | Visit date, Seen on, Date of visit | The visit was on {v}.
date follow_up, next_visit, next_appointment | Follow-up, Next visit, Next appointment | Please come back on {v}.
enum:diabetes,asthma,influenza,migraine,hypertension,bronchitis,anemia diagnosis, condition | Diagnosis, Condition, Dx | The diagnosis is {v}.; It turned out to be {v}.
single medication, drug, medicine | Medication, Drug, Rx | We prescribed {v}.
measure dose, dosage | Dose, Dosage, Strength | The dose is {v}.
decimal temperature, body_temperature | Temperature, Temp., Body temp. | The temperature was {v}.
count heart_rate, pulse, bpm | Heart rate, Pulse, HR | The pulse was {v}.
count systolic, bp_systolic | Systolic, BP systolic | Systolic pressure was {v}.
measure weight, body_weight | Weight, Body weight | On the scale: {v}.
strings allergies, allergic_to | Allergies, Allergic to | allergic to {v}
bool smoker, is_smoker | Smoker, Smokes
digits patient_id, mrn, record_number | Patient ID, MRN, Record no. | The record number is {v}.

= Recipe, Dish, CookingRecipe | Recipe, From our kitchen, Dish of the day
food name, title, dish | Recipe, Dish, Title | Today we cook {v}.; This makes a fine {v}.
small servings, serves, portions | Servings, Serves, Portions | It serves {v}.
count prep_minutes, prep_time | Preparation (min), Prep time (min) | Preparing takes {v} minutes.
count cook_minutes, cooking_time | Cooking (min), Cook time (min) | It cooks for {v} minutes.
count calories, kcal, energy | Calories, kcal, Energy | A portion has {v} calories.
enum:easy,medium,hard difficulty, level | Difficulty, Level | It is {v} to make.
person author, chef, cook | Author, Chef, By | {v} gave us this recipe.
bool vegetarian, is_vegetarian | Vegetarian, Meatless
* ingredients, needs, shopping_list | Ingredients, You need, Shopping list
 food name, ingredient, item | Ingredient, Name, Item
 decimal amount, quantity | Amount, Quantity
 enum:g,ml,tbsp,tsp,cup,piece unit, measure | Unit, Measure

= Property, RealEstate, Listing, Apartment, HouseListing | For sale, To let, Real estate listing, Property
address address, location, property_address | Address, Location, Property | You find it at {v}.; The address is {v}.
money price, asking_price, purchase_price | Price, Asking price, Purchase price | It is on the market for {v}.
money rent, monthly_rent | Rent, Monthly rent, Cold rent | The rent is {v} a month.
decimal area, living_area, floor_space | Area (m²), Living area (m²), Floor space (m²) | It offers {v} m² of space.
small rooms, number_of_rooms | Rooms, No. of rooms | It has {v} rooms.
small bedrooms, beds | Bedrooms, Beds | There are {v} bedrooms.
small bathrooms, baths | Bathrooms, Baths | There are {v} bathrooms.
year built, year_built, construction_year | Built, Year built, Construction year | It was built in {v}.
small floor, storey, level | Floor, Storey | It lies on floor {v}.
bool balcony, has_balcony | Balcony, Terrace
bool pets_allowed, pets | Pets allowed, Pets
date available_from, move_in | Available from, Move-in | It is free from {v}.
person agent, broker, contact | Agent, Broker, Contact | {v} shows you around.
phone agent_phone, contact_phone | Agent phone, Phone | Ring {v} for a viewing.
enum:A,B,C,D,E energy_class, epc | Energy class, EPC | The energy class is {v}.

= Flight, FlightBooking, BoardingPass, Trip | Boarding pass, Flight itinerary, Booking confirmation, Travel plan
person passenger, traveller, passenger_name | Passenger, Traveller, Name | {v} flies.; The passenger is {v}.
pattern:@@###|@@####|@@_### flight_number, flight, flight_no | Flight, Flight no., Flight number | You fly with {v}.
pattern:@@@@@@|@#@@##|@##@@@ booking_code, pnr, confirmation_code | Booking code, PNR, Confirmation | The booking code is {v}.
city origin, from_city, departure_city | From, Origin, Departing | We leave from {v}.; It departs from {v}.
city destination, to_city, arrival_city | To, Destination, Arriving | We go to {v}.; It lands in {v}.
date departure_date, date, travel_date | Date, Departure date, Travel date | The flight is on {v}.
clock departure_time, departs, takeoff | Departs, Departure, Take-off | It takes off at {v}.
clock arrival_time, arrives, landing | Arrives, Arrival, Landing | It lands at {v}.
pattern:##@|#@ seat, seat_number | Seat, Seat no. | You sit in {v}.
pattern:@##|@#|## gate, departure_gate | Gate, Departure gate | Go to gate {v}.
company airline, carrier | Airline, Carrier, Operated by | {v} operates the flight.
enum:economy,premium,business,first cabin, class, travel_class | Cabin, Class | You fly {v}.
money fare, price | Fare, Price, Ticket | The fare was {v}.
count miles, distance_km | Miles, Distance | The trip is {v} miles.

= HotelBooking, Reservation, Stay, Booking | Reservation, Hotel booking, Your stay, Booking
company hotel, property, hotel_name | Hotel, Property, Accommodation | You stay at {v}.
person guest, guest_name, booked_by | Guest, Guest name, Booked by | The room is booked for {v}.
date check_in, arrival, arrives_on | Check-in, Arrival, From | You arrive on {v}.
date check_out, departure, leaves_on | Check-out, Departure, Until | You leave on {v}.
small nights, number_of_nights | Nights, No. of nights | You stay {v} nights.
small adults, guests, persons | Adults, Guests, Persons | The room is for {v} adults.
small children, kids | Children, Kids | {v} children come along.
enum:single,double,twin,suite room_type, room | Room type, Room, Category | It is a {v} room.
money rate, price_per_night, nightly_rate | Rate, Price per night, Nightly rate | A night costs {v}.
money total, total_price | Total, Total price | The stay costs {v}.
bool breakfast, breakfast_included | Breakfast, Breakfast included
identifier confirmation, booking_number | Confirmation no., Booking no. | It is confirmed under {v}.
phone hotel_phone, front_desk | Front desk, Hotel phone | The front desk answers {v}.

= LogEntry, LogEvent, LogRecord, AuditEvent | Log, Event log, Audit trail
datetime timestamp, time, logged_at, ts | Timestamp, Time, Logged at | It was logged at {v}.
enum:DEBUG,INFO,WARNING,ERROR,CRITICAL level, severity, log_level | Level, Severity, lvl | It was logged as {v}.
host host, server, hostname | Host, Server, Node | It happened on {v}.
single service, component, module | Service, Component, Module | {v} wrote it.
ip ip, client_ip, source_ip | IP, Client, Source IP | It came from {v}.
username user, username, account | User, Account, Login | {v} was logged in.
path path, resource, file | Path, Resource, File | The file was {v}.
enum:200,201,301,400,404,500,503 status_code, code | Status, Code, HTTP status | The code was {v}.
count duration_ms, latency_ms, elapsed_ms | Duration (ms), Latency (ms), Took (ms) | It took {v} ms.
longid request_id, trace_id, correlation_id | Request ID, Trace, Correlation ID | The trace is {v}.
count bytes, size | Bytes, Size | {v} bytes were sent.
phrase message, text, msg | Message, Text, msg

= Car, Vehicle, CarListing, UsedCar | Used car, Vehicle details, Car for sale, Registration
single make, brand, manufacturer | Make, Brand, Manufacturer | It is a {v}.
thing model, model_name | Model, Type | The model is {v}.
year year, model_year, first_registration | Year, Model year, First registered | It is from {v}.
count mileage, odometer, kilometers | Mileage, Odometer, Kilometres | It has run {v} km.
money price, asking_price | Price, Asking price | It costs {v}.
enum:petrol,diesel,electric,hybrid fuel, fuel_type | Fuel, Fuel type | It runs on {v}.
enum:manual,automatic gearbox, transmission | Gearbox, Transmission | The gearbox is {v}.
plate plate, license_plate, registration | Plate, Registration no., License plate | The plate reads {v}.
pattern:@@@@@#########@### vin, chassis_number | VIN, Chassis no. | Its chassis number is {v}.
count power_hp, horsepower | Power (hp), hp | The engine gives {v} hp.
small owners, previous_owners | Previous owners, Owners | It had {v} owners.
person seller, owner, sold_by | Seller, Owner, Sold by | {v} is selling it.

= Book, BookRecord, LibraryItem, Publication | Book, Catalogue card, Publication
title title, book_title, name | Title, Book | The book is called {v}.; "{v}" is worth reading.
person author, written_by, writer | Author, Written by, By | {v} wrote it.
person translator, translated_by | Translator, Translated by | {v} translated it.
company publisher, published_by | Publisher, Published by | {v} brought it out.
year year, published, publication_year | Year, Published, Appeared | It came out in {v}.
pattern:978-#-##-######-#|978########## isbn, isbn13 | ISBN, ISBN-13 | Its ISBN is {v}.
count pages, page_count | Pages, No. of pages | It runs to {v} pages.
enum:novel,biography,thriller,poetry,science,history genre, category | Genre, Category | It is a work of {v}.
money price, cover_price | Price, Cover price | It sells for {v}.
decimal rating, average_rating | Rating, Average rating | Readers give it {v}.

= SensorReading, Measurement, WeatherReport, Reading | Weather report, Sensor reading, Measurement
single station, sensor, device | Station, Sensor, Device | The station is {v}.
datetime measured_at, time, timestamp | Measured at, Time, Read at | It was read at {v}.
decimal temperature, temp_c, air_temperature | Temperature, Temp. (°C), Air temp. | It is {v} degrees.
percent humidity, relative_humidity | Humidity, Rel. humidity | The air is at {v} humidity.
measure wind_speed, wind | Wind, Wind speed | The wind blows at {v}.
decimal pressure, air_pressure | Pressure, Air pressure | The pressure is {v}.
measure rainfall, rain, precipitation | Rain, Rainfall, Precipitation | There fell {v} of rain.
city place, location, town | Place, Location, Town | We are in {v}.
coordinate coordinates, position | Coordinates, Position | The spot is {v}.
percent battery, battery_level | Battery, Battery level | The battery is at {v}.

= Course, Lecture, Class, Enrolment | Course, Course description, Enrolment, Timetable
title name, title, course_title | Course, Title, Course name | The course is {v}.
pattern:@@@-###|@@###|@@-#### code, course_code | Code, Course code | Its code is {v}.
person teacher, instructor, lecturer | Teacher, Instructor, Lecturer | {v} teaches it.
person student, participant, enrolled | Student, Participant | {v} takes the course.
small credits, ects | Credits, ECTS | It gives {v} credits.
count max_students, places | Places, Max. students | There are {v} places.
date starts_on, start_date | Starts on, First day | It starts on {v}.
date exam_date, exam | Exam, Exam date | The exam is on {v}.
money fee, tuition | Fee, Tuition | It costs {v}.
single room, hall | Room, Hall | We are in room {v}.
enum:beginner,intermediate,advanced level, difficulty | Level, Difficulty | The level is {v}.
percent grade, score, result | Grade, Score, Result | The result was {v}.
"""
