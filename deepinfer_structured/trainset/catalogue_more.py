"""More domains, in the notation that `catalogue` reads."""

MORE = """
= Movie, Film, MovieListing | Film, Movie of the week, Cinema programme
title title, movie, film | Title, Film, Movie | The film is called {v}.
person director, directed_by | Director, Directed by | {v} directed it.
person actor, lead_actor, starring | Starring, Lead, Main actor | {v} plays the lead.
year year, release_year | Year, Released in | It is from {v}.
count minutes, runtime, length_min | Runtime (min), Length | It runs {v} minutes.
decimal rating, imdb_rating | Rating, Viewers' rating | Viewers give it {v}.
enum:drama,comedy,horror,action,documentary genre, category | Genre, Category | It is a {v}.
company cinema, theatre | Cinema, Theatre | It is on at {v}.
clock showtime, starts | Showtime, Starts | It starts at {v}.
country country, made_in | Country, Made in | It was made in {v}.

= UtilityBill, EnergyBill, ElectricityBill | Electricity bill, Utility bill, Gas bill, Energy statement
company provider, utility, supplier | Provider, Utility, Supplier | {v} supplies the power.
person customer, account_holder | Customer, Account holder | The account is in the name of {v}.
digits customer_number, account_number | Customer number, Account no. | Customer no. {v}.
digits meter_number, meter | Meter number, Meter | The meter is {v}.
count old_reading, previous_reading | Previous reading, Old reading | Before it showed {v}.
count new_reading, current_reading | Current reading, New reading | Now it shows {v}.
measure usage, consumption | Usage, Consumption | You used {v}.
date period_start, from_date | Period from, From | The period begins on {v}.
date period_end, to_date | Period to, To | The period ends on {v}.
date due_date, pay_by | Due date, Pay by | Pay by {v}.
money amount, amount_due, to_pay | Amount, Amount due, To pay | You pay {v}.
money instalment, monthly_payment | Instalment, Monthly payment | From now on {v} a month.

= SportsMatch, Match, Game, GameReport | Match report, Result, Game day
company home_team, home, host_team | Home team, Home, Hosts | {v} played at home.
company away_team, away, visitors | Away team, Away, Visitors | {v} came as guests.
small home_score, home_goals | Home score, Goals home | The hosts scored {v}.
small away_score, away_goals | Away score, Goals away | The guests scored {v}.
person scorer, top_scorer | Scorer, Goals by | {v} scored.
person referee, official | Referee, Official | {v} was the referee.
company stadium, arena, venue | Stadium, Arena, Venue | They played at {v}.
count attendance, spectators | Attendance, Spectators | {v} people watched.
date date, match_date | Date, Match date | The match was on {v}.
person coach, trainer | Coach, Trainer | {v} is the coach.

= Subscription, Plan, Membership | Subscription, Membership, Your plan
person subscriber, member, user | Subscriber, Member, User | {v} subscribed.
enum:free,basic,premium,family,enterprise plan, tier, package | Plan, Tier, Package | It is the {v} plan.
money price, monthly_price | Price, Monthly price | It costs {v}.
date started_on, member_since, start_date | Started on, Member since | It began on {v}.
date renews_on, renewal_date, next_billing | Renews on, Next billing, Renewal | It renews on {v}.
date cancel_by, cancellation_deadline | Cancel by, Last day to cancel | You can cancel until {v}.
identifier subscription_id, membership_no | Subscription ID, Membership no. | It runs under {v}.
bool auto_renew, renews_automatically | Auto-renew, Renews automatically
email billing_email, account_email | Billing e-mail, Account e-mail | Bills go to {v}.
small seats, licences | Seats, Licences | It covers {v} seats.

= Candidate, Resume, CV, Applicant | Curriculum vitae, CV, Application, Résumé
person name, applicant, candidate_name | Name, Applicant, Candidate | My name is {v}.
email email, mail | E-mail, Mail | You reach me at {v}.
phone phone, telephone | Phone, Telephone | My phone is {v}.
job current_role, current_position | Current role, Current position | I work as {v}.
company current_employer, works_at | Current employer, Works at | My employer is {v}.
company previous_employer, formerly_at | Previous employer, Formerly at | Before that I was with {v}.
single degree, field_of_study, major | Degree, Field of study, Major | I studied {v}.
company university, school, college | University, School, College | I went to {v}.
year graduation_year, graduated | Graduation year, Graduated | I graduated in {v}.
small years_experience, experience | Years of experience, Experience | I bring {v} years of experience.
money expected_salary, salary_expectation | Expected salary, Salary expectation | I hope for {v}.
date available_on, available_from | Available from, Earliest start | I can start on {v}.
strings languages, spoken_languages | Languages, Spoken languages
strings skills, strengths | Skills, Strengths
bool driving_licence, has_licence | Driving licence, Licence

= Release, SoftwareRelease, Changelog, PackageInfo | Release notes, Changelog, Package
single project, package, software | Project, Package, Software | This is about {v}.
version version, release, tag | Version, Release, Tag | {v} is out.
version previous_version, replaces | Previous version, Replaces | It replaces {v}.
date released_on, release_date | Released on, Release date | It came out on {v}.
person maintainer, released_by, author | Maintainer, Released by, Author | {v} made the release.
pattern:^^^^^^^|^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ commit, sha, revision | Commit, SHA, Revision | Built from {v}.
url changelog_url, link, homepage | Changelog, Link, Homepage | See {v}.
enum:MIT,Apache-2.0,GPL-3.0,BSD-3-Clause license, licence | License, Licence | It is under {v}.
count downloads, installs | Downloads, Installs | It has {v} downloads.
bool breaking, breaking_changes | Breaking changes, Breaking
strings fixes, fixed_issues | Fixes, Fixed

= ParkingTicket, Fine, PenaltyNotice | Parking ticket, Penalty notice, Fine
plate plate, license_plate, registration | Plate, Registration, License plate | The car is {v}.
street place, street, location | Place, Street, Location | It stood at {v}.
date date, issued_on, offence_date | Date, Issued on, Date of offence | It was on {v}.
clock time, offence_time | Time, Seen at | It was {v}.
money fine, penalty, amount | Fine, Penalty, Amount | You pay {v}.
date pay_by, due_date | Pay by, Due | Pay before {v}.
last_name officer, issued_by, warden | Officer, Issued by, Warden | Officer {v} wrote it.
identifier notice_number, ticket_number | Notice no., Ticket no. | The notice has the number {v}.
single make, car_make | Make, Car | A {v}.

= Donation, Gift, Contribution | Donation receipt, Thank you for your gift, Contribution
person donor, given_by, giver | Donor, Given by, Giver | {v} gave.
company charity, organisation, beneficiary | Charity, Organisation, In favour of | It goes to {v}.
money amount, donation, sum | Amount, Donation, Sum | The gift was {v}.
date donated_on, date, received_on | Donated on, Date, Received | It came on {v}.
identifier receipt_id, receipt_number | Receipt ID, Receipt no. | The receipt is {v}.
bool anonymous, is_anonymous | Anonymous, Unnamed
bool monthly, recurring | Monthly, Recurring
single campaign, purpose | Campaign, Purpose | It is for the {v} campaign.

= ServerInventory, Machine, Asset, HostRecord | Inventory, Machine, Asset sheet, Host
host hostname, host, name | Hostname, Host, Name | The machine is called {v}.
ip ip, ip_address, address | IP, IP address | It answers at {v}.
ip gateway, default_gateway | Gateway, Default gateway | The gateway is {v}.
enum:Linux,Windows,FreeBSD,macOS os, operating_system | OS, Operating system | It runs {v}.
version os_version, kernel | OS version, Kernel | The version is {v}.
count cpu_cores, cores, cpus | CPU cores, Cores | It has {v} cores.
count memory_gb, ram_gb, ram | Memory (GB), RAM (GB) | It has {v} GB of memory.
count disk_gb, storage_gb | Disk (GB), Storage (GB) | The disk holds {v} GB.
person owner, admin, responsible | Owner, Admin, Responsible | {v} looks after it.
city datacenter, site, location | Data centre, Site, Location | It stands in {v}.
date last_patched, patched_on | Last patched, Patched on | It was patched on {v}.
pattern:^^:^^:^^:^^:^^:^^ mac, mac_address | MAC, MAC address | The MAC address is {v}.
identifier asset_tag, inventory_number | Asset tag, Inventory no. | The sticker says {v}.

= Warranty, WarrantyClaim, Guarantee | Warranty card, Guarantee, Warranty claim
person customer, owner, buyer | Customer, Owner, Buyer | {v} owns it.
thing product, device, appliance | Product, Device, Appliance | It is a {v}.
identifier serial, serial_number, serial_no | Serial no., Serial number, S/N | The serial number is {v}.
company dealer, shop, bought_at | Dealer, Shop, Bought at | {v} sold it.
date bought_on, purchase_date | Bought on, Purchase date | It was bought on {v}.
date expires_on, valid_until | Expires on, Valid until | It is covered until {v}.
date defect_date, broke_on | Defect since, Broke on | It broke on {v}.
money repair_cost, cost | Repair cost, Cost of repair | The repair would cost {v}.
bool accepted, claim_accepted | Accepted, Claim accepted

= Survey, SurveyResponse, Feedback | Survey, Feedback form, Questionnaire
person respondent, name, participant | Respondent, Name, Participant | {v} answered.
count age, years_old | Age, Years | They are {v} years old.
city city, hometown | City, Home town | They live in {v}.
small score, rating, nps | Score, Rating, Points | The score is {v}.
date answered_on, submitted, date | Answered on, Submitted, Date | It came in on {v}.
bool would_recommend, recommends | Would recommend, Recommends us
quoted comment, remark, free_text | Comment, Remark, In your own words
enum:male,female,other gender, sex | Gender, Sex | The answer to gender is {v}.
job occupation, profession | Occupation, Profession | They work as {v}.

= Song, Track, MusicTrack | Song, Track, Now playing
title title, song, track | Title, Song, Track | The song is {v}.
person artist, singer, performer | Artist, Singer, Performed by | {v} sings.
person composer, written_by | Composer, Written by, Music by | {v} wrote it.
title album, record, from_album | Album, Record, On | It is on {v}.
year year, released | Year, Released | It came out in {v}.
count bpm, tempo | BPM, Tempo | It has {v} beats.
pattern:#:##|##:## duration, length | Duration, Length | It lasts {v}.
small track_number, track_no | Track no., # | It is number {v} on the record.
enum:rock,pop,jazz,classical,folk,techno genre, style | Genre, Style | It is {v}.
company label, record_label | Label, Record label | {v} released it.

= RestaurantReview, Review, DinnerReview | Review, Restaurant review, Our visit
company restaurant, place, venue | Restaurant, Place, Where | We ate at {v}.
person reviewer, author, guest | Reviewer, Author, By | {v} wrote this.
food dish, ordered, meal | Dish, Ordered, Meal | I had the {v}.
food dessert, sweet | Dessert, Sweet | For dessert there was {v}.
food drink, beverage | Drink, Beverage | We drank {v}.
city city, town | City, Town | It is in {v}.
date visited_on, visit_date | Visited on, Visit | We were there on {v}.
small stars, rating | Stars, Rating | {v} stars.
money price_paid, bill, spent | Price paid, Bill, Spent | We paid {v}.
first_name waiter, server | Waiter, Server | {v} served us.
bool recommended, would_return | Recommended, Would return

= Prescription, Medication, DrugOrder | Prescription, Rx, Medication plan
person patient, patient_name | Patient, For | It is for {v}.
person prescriber, doctor, prescribed_by | Prescriber, Doctor, Prescribed by | {v} prescribed it.
single drug, medication, medicine | Drug, Medication, Medicine | Take {v}.
measure strength, dose, dosage | Strength, Dose, Dosage | One tablet has {v}.
small times_daily, per_day | Times daily, Per day | Take it {v} times a day.
count days, duration_days | Days, Duration (days) | For {v} days.
date issued, issued_on | Issued, Issued on | It was written on {v}.
date valid_until, expires | Valid until, Expires | It is valid until {v}.
small refills, repeats | Refills, Repeats | {v} refills are allowed.
company pharmacy, dispensed_by | Pharmacy, Dispensed by | {v} handed it out.
bool with_food, take_with_food | With food, Take with food

= InventoryItem, StockItem, WarehouseItem | Stock card, Inventory, Warehouse
thing item, name, part | Item, Name, Part | This is the {v}.
identifier part_number, item_code, bin | Part number, Item code | Its code is {v}.
count on_hand, in_stock, quantity | On hand, In stock, Quantity | We hold {v}.
count reorder_level, min_stock | Reorder level, Minimum stock | Order again below {v}.
count max_stock, capacity | Maximum stock, Capacity | There is space for {v}.
company supplier, vendor | Supplier, Vendor | {v} supplies it.
money unit_cost, cost | Unit cost, Cost | One costs {v}.
pattern:@##-##|@-##-#|##-@-## shelf, location, aisle | Shelf, Location, Aisle | It lies on {v}.
date last_counted, counted_on | Last counted, Counted on | We counted on {v}.
person counted_by, checker | Counted by, Checker | {v} counted.

= Household, MeterReading, Tenant, LeaseRecord | Tenancy, Tenant file, Lease
person tenant, renter, lessee | Tenant, Renter, Lessee | {v} rents the flat.
person landlord, lessor, owner | Landlord, Lessor, Owner | {v} owns the flat.
address address, property, flat | Address, Property, Flat | The flat is at {v}.
money rent, monthly_rent | Rent, Monthly rent | The rent is {v}.
money deposit, bond | Deposit, Bond | {v} was left as deposit.
money utilities, extra_costs | Utilities, Extra costs | Heating and water cost {v}.
date moved_in, move_in_date | Moved in, Move-in date | They moved in on {v}.
date moved_out, move_out_date | Moved out, Move-out date | They leave on {v}.
small persons, occupants | Persons, Occupants | {v} people live there.
bool pets, pets_allowed | Pets, Pets allowed
"""
