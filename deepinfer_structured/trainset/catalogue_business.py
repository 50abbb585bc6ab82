"""Domains of trade and work, in the notation that `catalogue` reads.

= class names | document titles
kind names | labels | sentences; ...        a field; `{v}` is its value
> names | labels                            a nested object: its fields are indented
* names | labels                            a list of records: its columns are indented
"""

BUSINESS = """
= Invoice, Bill, InvoiceData, SupplierInvoice | Invoice, Tax invoice, INVOICE, Bill, Proforma invoice
identifier invoice_number, invoice_no, number, invoice_id | Invoice number, Invoice no., Invoice #, Bill no., No. | The invoice carries the number {v}.; Please quote {v} when you pay.; this is about invoice {v}
date invoice_date, date, issued_on, issue_date | Invoice date, Date, Issued, Date of issue, Dated | It was issued on {v}.; We wrote this invoice on {v}.
date due_date, due, pay_by, payment_due | Due date, Payment due, Due, Pay by, Payable until | Payment is due by {v}.; Please pay no later than {v}.; You have until {v} to settle it.
company vendor, seller, supplier, vendor_name, from_company | Vendor, Seller, Supplier, From, Issued by | {v} sent us this invoice.; The supplier is {v}.; {v} is billing you.
company customer, buyer, bill_to, client, customer_name | Customer, Bill to, Client, Billed to, Buyer | It is made out to {v}.; {v} is the customer.; We are billing {v}.
money subtotal, net, net_amount | Subtotal, Net amount, Net, Sum before tax | Before tax that makes {v}.; The net amount is {v}.
money tax, vat, tax_amount, vat_amount | Tax, VAT, Sales tax, Tax amount | Tax of {v} has been added.; VAT comes to {v}.
money total, total_amount, amount_due, grand_total | Total, Amount due, Grand total, Total due, Balance due | The total comes to {v}.; In all you owe {v}.; That makes {v} altogether.
money discount, rebate | Discount, Rebate, Less discount | A discount of {v} was granted.; We took {v} off.
enum:USD,EUR,GBP,CHF,PLN currency, currency_code | Currency, Cur. | All amounts are in {v}.
enum:paid,unpaid,overdue,draft,cancelled status, payment_status | Status, Payment status, State | The invoice is {v}.; Its status is {v}.
identifier po_number, purchase_order, order_ref | PO number, Purchase order, Your order | Your purchase order was {v}.
identifier tax_id, vat_id, vat_number | VAT ID, Tax ID, VAT number | Our VAT ID is {v}.
iban iban, account, bank_account | IBAN, Account, Bank account | Please transfer to {v}.
* items, line_items, lines, positions | Items, Line items, Positions, Articles
 thing description, item, name, product | Description, Item, Article, Product
 small quantity, qty, count | Quantity, Qty, Units, Pcs
 money unit_price, price, rate | Unit price, Price, Rate, Each
 money amount, line_total, sum | Amount, Line total, Sum

= Receipt, PurchaseReceipt, Slip, CashReceipt | Receipt, Sales receipt, RECEIPT, Thank you for shopping, Cash receipt
company store, merchant, shop, store_name | Store, Merchant, Shop, Sold by | You shopped at {v}.; The receipt is from {v}.
address address, store_address | Address, Store address, Located at | The shop is at {v}.
date date, purchase_date, bought_on | Date, Purchase date, Trans. date | We bought this on {v}.
clock time, purchase_time | Time, At | It was rung up at {v}.
identifier receipt_number, receipt_no, transaction_id | Receipt no., Receipt #, Transaction, Trans ID | Its transaction id is {v}.
first_name cashier, served_by, clerk | Cashier, Served by, Clerk, Operator | {v} served us.; {v} was at the till.
money total, total_paid, amount | Total, TOTAL, Amount, Total paid | We paid {v} in total.
money cash, tendered, cash_given | Cash, Tendered, Cash given | I handed over {v}.
money change, change_due | Change, Change due, Your change | We got {v} back.
enum:cash,card,voucher,mobile payment_method, paid_with, payment | Payment method, Paid with, Payment, Tender | It was paid by {v}.
* items, products, purchases | Items, Articles, Purchases
 food name, item, product | Item, Article, Product
 small quantity, qty | Qty, Quantity
 money price, amount, cost | Price, Amount, Cost

= Order, PurchaseOrder, CustomerOrder, SalesOrder | Order confirmation, Purchase order, Your order, Order
identifier order_number, order_id, order_no, reference | Order number, Order no., Order ID, Reference | Your order number is {v}.; We have booked this as order {v}.
date ordered_on, order_date, placed_at | Order date, Ordered on, Placed | The order was placed on {v}.; You ordered it on {v}.
date delivery_date, ship_by, expected_delivery | Delivery date, Ship by, Expected delivery, Arrives | Delivery is expected on {v}.; It should arrive by {v}.
person customer, buyer, ordered_by, customer_name | Customer, Ordered by, Buyer, Customer name | {v} placed the order.; It was ordered by {v}.
person recipient, ship_to, deliver_to | Recipient, Ship to, Deliver to | The parcel goes to {v}.; {v} will receive it.
address shipping_address, delivery_address | Shipping address, Delivery address, Ship to address | Send it to {v}.; It goes to {v}.
address billing_address, invoice_address | Billing address, Invoice address, Bill to address | The bill goes to {v}.
money shipping_cost, shipping, postage | Shipping, Shipping cost, Postage, Freight | Shipping costs {v}.
money total, order_total | Order total, Total, Sum | The order comes to {v}.
bool gift, is_gift, gift_wrap | Gift, Gift wrap, Is a gift
enum:standard,express,overnight,pickup delivery, shipping_method | Shipping method, Delivery, Service | It ships by {v} service.
phrase note, comment, remarks | Note, Comment, Remarks
* items, products, lines | Items, Products, Order lines
 identifier sku, article_no, product_code | SKU, Article no., Code, Item no.
 thing name, product, title | Product, Name, Article
 small quantity, qty, pieces | Qty, Quantity, Pieces
 money price, unit_price | Price, Unit price

= Shipment, Parcel, ShippingNote, Delivery | Shipping note, Delivery note, Shipment, Packing slip
longid tracking_number, tracking, tracking_id | Tracking number, Tracking, Tracking ID, Track no. | You can track it with {v}.; The tracking number is {v}.
company carrier, shipper, courier | Carrier, Courier, Shipped with | {v} carries the parcel.; It went out with {v}.
person sender, from_name, shipped_by | Sender, From, Shipped by | {v} sent it.; It was handed in by {v}.
person recipient, consignee, to_name | Recipient, Consignee, To | It is addressed to {v}.; {v} signed for it.
city origin, from_city | Origin, From city, Departure | It left {v}.
city destination, to_city | Destination, To city, Arrival | It is bound for {v}.
measure weight, gross_weight | Weight, Gross weight, Mass | It weighs {v}.; On the scale it showed {v}.
small parcels, packages, pieces | Parcels, Packages, No. of pieces | There are {v} parcels.
date shipped_on, dispatch_date | Shipped on, Dispatch date, Sent | It left the warehouse on {v}.
date eta, delivery_date, expected | ETA, Expected delivery, Arrives on | It should be there on {v}.
bool fragile, is_fragile | Fragile, Handle with care
enum:in_transit,delivered,delayed,returned status, state | Status, State, Current status | The parcel is {v}.

= Ticket, SupportTicket, Issue, Incident | Support ticket, Ticket, Incident report, Help desk
identifier ticket_id, id, ticket, case_number | Ticket, Ticket ID, Case no., Ticket # | This is ticket {v}.; We opened case {v}.
phrase subject, title, summary | Subject, Title, Summary | It is about: {v}.; The headline reads "{v}".
person reporter, requester, reported_by | Reporter, Requested by, Reported by | {v} reported it.; It came in from {v}.
person assignee, assigned_to, owner | Assignee, Assigned to, Owner | {v} is working on it.; We gave it to {v}.
enum:low,medium,high,critical priority, severity, urgency | Priority, Severity, Urgency | The priority is {v}.; We rated it {v}.
enum:open,in_progress,waiting,resolved,closed status, state | Status, State | It is {v}.; Right now the ticket is {v}.
date created, opened_on, created_at | Created, Opened, Created on | It was opened on {v}.
date resolved_on, closed_on | Resolved on, Closed, Closed on | We closed it on {v}.
thing product, component, affected_product | Product, Component, Affected product | The trouble is with {v}.
version version, build, release | Version, Build, Release | It happens in {v}.
email contact, contact_email | Contact, Contact e-mail, Reply to | Write to {v}.
strings tags, labels, keywords | Tags, Labels, Keywords

= JobAdvert, JobPosting, Vacancy, Position | Job advert, We are hiring, Vacancy, Open position
job title, position, role, job_title | Position, Job title, Role, Title | We are looking for a {v}.; The role is {v}.
company company, employer, organisation | Company, Employer, Organisation | {v} is hiring.; You will work for {v}.
city location, city, workplace | Location, City, Place of work | The job is in {v}.; You will be based in {v}.
money salary, pay, annual_salary | Salary, Pay, Annual salary | It pays {v}.; We offer {v} a year.
money salary_min, min_salary | Salary from, Minimum salary | Pay starts at {v}.
money salary_max, max_salary | Salary up to, Maximum salary | It goes up to {v}.
enum:full_time,part_time,contract,internship employment_type, contract_type | Employment type, Contract, Type | The position is {v}.
bool remote, remote_ok | Remote, Remote possible, Home office
date deadline, apply_by, closing_date | Apply by, Deadline, Closing date | Send your application by {v}.
date start_date, starts_on | Start date, Starts on, From | You would start on {v}.
small experience_years, years_of_experience, min_years | Years of experience, Experience (years) | We ask for {v} years of experience.
strings skills, requirements | Skills, Requirements, You bring
email apply_to, contact_email | Apply to, Contact, Applications to | Applications go to {v}.

= BankTransfer, Transaction, Payment, Transfer | Bank transfer, Payment advice, Transaction, Remittance advice
person payer, sender, from_name, debtor | Payer, From, Sender, Ordering party | {v} sent the money.; It came from {v}.
person payee, recipient, to_name, beneficiary | Payee, To, Beneficiary, Recipient | {v} received it.; It went to {v}.
iban from_iban, sender_iban, debit_account | From account, Debit account, Sender IBAN | It left account {v}.
iban to_iban, recipient_iban, credit_account | To account, Credit account, Beneficiary IBAN | It was credited to {v}.
money amount, sum, value | Amount, Sum, Transferred | {v} changed hands.; The sum is {v}.
money fee, charges | Fee, Charges, Bank charges | The bank kept {v}.
money balance, new_balance | Balance, New balance, Balance after | That leaves {v}.
date booked_on, booking_date | Booking date, Booked | It was booked on {v}.
date value_date, valued_on | Value date, Valuta | The value date is {v}.
identifier reference, purpose, remittance | Reference, Purpose, Payment reference | The reference reads {v}.
company bank, bank_name | Bank, Institution | {v} handled it.

= Meeting, Minutes, MeetingNotes, Appointment | Meeting notes, Minutes, Appointment, Invitation
phrase topic, subject, title | Topic, Subject, Title | We talk about {v}.
person organizer, host, chair | Organiser, Host, Chair | {v} is in the chair.; {v} called the meeting.
person note_taker, minutes_by, secretary | Minutes by, Note taker | {v} takes the minutes.
date date, held_on, day | Date, Held on, Day | We meet on {v}.
clock start, start_time, begins_at | Start, Begins, From | It begins at {v}.
clock end, end_time, ends_at | End, Ends, Until | We should be done by {v}.
single room, place, location | Room, Place, Where | We are in room {v}.
people attendees, participants, present | Attendees, Participants, Present | Present were {v}.
strings agenda, topics, points | Agenda, Topics, Points
date next_meeting, follow_up | Next meeting, Follow-up | We meet again on {v}.

= Product, CatalogItem, ProductListing, Article | Product sheet, Product details, Item, Data sheet
thing name, title, product_name | Name, Product, Title | This is the {v}.; Meet the {v}.
company brand, manufacturer, maker | Brand, Manufacturer, Made by | {v} makes it.; It comes from {v}.
identifier sku, model, article_number | SKU, Model, Article number, Item code | The model code is {v}.
digits ean, barcode, gtin | EAN, Barcode, GTIN | Scan {v} at the till.
money price, retail_price, current_price | Price, Now, Retail price | It costs {v}.; Yours for {v}.
money old_price, list_price, rrp | Old price, List price, RRP, Was | It used to cost {v}.
measure weight, net_weight | Weight, Net weight | It weighs {v}.
measure width, product_width | Width, W | It is {v} wide.
measure height, product_height | Height, H | It stands {v} tall.
enum:red,blue,green,black,white,silver color, colour, finish | Colour, Color, Finish | It comes in {v}.
count stock, in_stock, units_available | Stock, In stock, Available units | We have {v} left.
decimal rating, stars, score | Rating, Stars, Score | Buyers give it {v} stars.
small warranty_years, warranty | Warranty (years), Guarantee | It carries {v} years of warranty.
bool available, is_available | Available, Orderable

= Contract, Agreement, LeaseContract, ServiceAgreement | Contract, Agreement, Service agreement, Terms
identifier contract_number, contract_id, agreement_no | Contract number, Contract no., Agreement no. | The contract is filed as {v}.
company provider, contractor, party_a | Provider, Contractor, First party | {v} provides the service.
company client, customer, party_b | Client, Customer, Second party | {v} takes the service.
date signed_on, signature_date | Signed on, Date of signature | Both signed on {v}.
date effective_date, starts_on, start | Effective date, Start, In force from | It takes effect on {v}.
date end_date, expires_on, end | End date, Expires, Ends on | It runs out on {v}.
money monthly_fee, fee, monthly_rate | Monthly fee, Fee, Rate per month | The fee is {v} a month.
money deposit, security_deposit | Deposit, Security deposit | A deposit of {v} is held.
small notice_months, notice_period | Notice (months), Notice period | Notice is {v} months.
bool auto_renewal, renews | Automatic renewal, Renews
person signatory, signed_by | Signed by, Signatory | {v} signed for them.
city jurisdiction, venue | Jurisdiction, Venue, Courts of | Disputes go to court in {v}.

= Employee, StaffRecord, Worker, EmployeeCard | Staff record, Employee card, Personnel file
person name, full_name, employee | Name, Employee, Full name | {v} works with us.
digits employee_id, staff_no, personnel_number | Employee ID, Staff no., Personnel number | Staff number {v}.
job position, job_title, role | Position, Job title, Role | The job is {v}.
person manager, supervisor, reports_to | Manager, Supervisor, Reports to | {v} is the boss.; The line manager is {v}.
date hired_on, hire_date, joined | Hired on, Joined, Entry date | The first day was {v}.
date birth_date, born_on, date_of_birth | Date of birth, Born, Birthday | Born on {v}.
email email, work_email | E-mail, Work e-mail | Mail reaches them at {v}.
phone phone, extension, work_phone | Phone, Extension, Tel. | The phone number is {v}.
money salary, gross_salary | Salary, Gross salary | The pay is {v}.
enum:sales,engineering,finance,support,marketing department, team, unit | Department, Team, Unit | They sit in {v}.
count vacation_days, days_off | Vacation days, Days off | There are {v} days off left.
bool active, is_active | Active, Currently employed
"""
