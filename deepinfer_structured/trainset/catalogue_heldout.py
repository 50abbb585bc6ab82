"""Domains that training never sees: their field names occur in no training schema."""

HELDOUT = """
= VetVisit, AnimalPatient | Veterinary visit, Animal clinic
first_name pet, animal_name | Pet, Animal | {v} was brought in.
enum:dog,cat,rabbit,parrot,horse species, animal_kind | Species, Kind of animal | It is a {v}.
person keeper, pet_keeper | Keeper, Brought by | {v} keeps the animal.
person vet, veterinarian | Vet, Veterinarian | {v} treated it.
digits microchip, chip_code | Microchip, Chip | The chip reads {v}.
date vaccinated_on, last_shot | Vaccinated on, Last shot | The last shot was given on {v}.
money treatment_cost, vet_bill | Treatment cost, Vet bill | The treatment came to {v}.
bool neutered, castrated | Neutered, Castrated

= LibraryLoan, Borrowing | Loan slip, Library loan
title borrowed_book, loaned_title | Borrowed book, Loaned title | The book on loan is {v}.
person borrower, card_holder | Borrower, Card holder | {v} borrowed it.
person librarian, desk_clerk | Librarian, Desk | {v} was at the desk.
date lent_on, checkout_day | Lent on, Checkout day | It was lent on {v}.
date return_by, bring_back | Return by, Bring back | It must be back by {v}.
small renewals, times_renewed | Renewals, Times renewed | It was renewed {v} times.
money late_fine, overdue_charge | Late fine, Overdue charge | The fine is {v}.
identifier shelf_mark, call_number | Shelf mark, Call number | It stands under {v}.

= ChessGame, MatchSheet | Chess game, Match sheet
person white_player, plays_white | White, White player | {v} has the white pieces.
person black_player, plays_black | Black, Black player | {v} has the black pieces.
count white_elo, rating_white | White Elo, Elo white | White is rated {v}.
count black_elo, rating_black | Black Elo, Elo black | Black is rated {v}.
enum:1-0,0-1,1/2-1/2 outcome, game_result | Outcome, Game result | The game ended {v}.
title opening_played, opening_name | Opening, Opening played | They played the {v}.
count moves_played, move_count | Moves, Move count | It lasted {v} moves.
date played_on, match_day | Played on, Match day | The game was on {v}.
city tournament_city, played_in | Tournament city, Played in | They met in {v}.

= LabSample, Specimen | Lab sample, Specimen sheet
identifier sample_code, specimen_id | Sample code, Specimen | The vial is marked {v}.
person collected_by, sampler_name | Collected by, Sampler | {v} took the sample.
date collected_on, sampling_day | Collected on, Sampling day | It was taken on {v}.
date analysed_on, analysis_day | Analysed on, Analysis day | It was analysed on {v}.
decimal ph_value, acidity | pH, Acidity | The pH was {v}.
measure lead_content, lead_ppm | Lead, Lead content | It held {v} of lead.
single sample_matrix, material_type | Matrix, Material type | The material is {v}.
bool within_limits, passes_limits | Within limits, Passes limits
count colonies, colony_count | Colonies, Colony count | We counted {v} colonies.

= InsuranceClaim, DamageClaim | Claim form, Damage report
identifier claim_code, claim_ref | Claim code, Claim ref. | The claim runs under {v}.
person policyholder, insured_person | Policyholder, Insured | {v} holds the policy.
person adjuster, claims_handler | Adjuster, Handler | {v} looks into it.
person witness, seen_by_witness | Witness, Witnessed by | {v} saw it happen.
date accident_day, loss_date | Accident day, Date of loss | It happened on {v}.
date claim_filed, notified_on | Claim filed, Notified | We heard of it on {v}.
money damage_estimate, estimated_loss | Damage estimate, Estimated loss | The damage is put at {v}.
money excess, deductible | Excess, Deductible | The excess is {v}.
enum:fire,theft,collision,water,storm peril, damage_cause | Peril, Cause of damage | The cause was {v}.

= Observation, TelescopeLog | Observation log, Telescope night
title celestial_object, target_name | Object, Target | We pointed at {v}.
person observer, astronomer | Observer, Astronomer | {v} was at the eyepiece.
decimal magnitude, brightness_mag | Magnitude, Brightness | Its magnitude is {v}.
count exposure_seconds, exposure_s | Exposure (s), Exposure | We exposed for {v} seconds.
date observed_on, observing_night | Observed on, Night | It was seen on {v}.
single telescope_used, instrument_name | Telescope, Instrument | The instrument was {v}.
enum:excellent,good,fair,poor seeing, sky_quality | Seeing, Sky quality | The sky was {v}.
coordinate sky_position, ra_dec | Sky position, RA/Dec | It stood at {v}.

= GardenPlot, PlantingPlan | Planting plan, Garden plot
food crop, plant_grown | Crop, Plant | We grow {v} here.
digits plot_no, bed_number | Plot, Bed | This is bed {v}.
person gardener, tended_by | Gardener, Tended by | {v} looks after it.
date sown_on, seeding_day | Sown on, Seeding day | The seed went in on {v}.
date harvest_from, pick_after | Harvest from, Pick after | We can pick from {v}.
decimal row_spacing, spacing_cm | Row spacing, Spacing | The rows are {v} apart.
count seedlings, plants_set | Seedlings, Plants set | We set out {v} seedlings.
bool irrigated, drip_watered | Irrigated, Drip watered
"""
