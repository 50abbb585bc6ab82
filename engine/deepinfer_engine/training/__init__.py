"""Training of the bundled model: packed rows, flex attention, Muon, the backbone's run and the drafter's."""
