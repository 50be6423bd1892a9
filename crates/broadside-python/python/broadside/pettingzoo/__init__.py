"""Two sides that place their ships and fire at each other, as PettingZoo environments: see `battleship_v0`."""
