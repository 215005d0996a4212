"""Lucas-Kanade motion and semi-Lagrangian extrapolation by pysteps, on frames that the bench wrote.

usage: pysteps-oracle.py FOLDER NX NY MINUTES_BETWEEN_FRAMES FRAMES STEP_MINUTES STEPS
reads  FOLDER/frame-0.f32 ... (oldest first; mm/h, NaN outside coverage)
writes FOLDER/motion-u.f32, motion-v.f32 (pixels a minute) and FOLDER/lead-1.f32 ...
"""
import sys

import numpy as np
from pysteps import extrapolation, motion

folder, nx, ny, between, frames, step, steps = sys.argv[1], *map(float, sys.argv[2:])
nx, ny, frames, steps = int(nx), int(ny), int(frames), int(steps)
rates = np.stack([np.fromfile(f"{folder}/frame-{k}.f32", "<f4").reshape(ny, nx) for k in range(frames)])
decibel = np.where(rates >= 0.1, 10 * np.log10(np.maximum(rates, 0.1)), -15.0)
decibel[~np.isfinite(rates)] = np.nan
field = motion.get_method("LK")(decibel, verbose=False)
field[0].astype("<f4").__truediv__(between).astype("<f4").tofile(f"{folder}/motion-u.f32")
field[1].astype("<f4").__truediv__(between).astype("<f4").tofile(f"{folder}/motion-v.f32")
forecast = extrapolation.get_method("semilagrangian")(
    np.nan_to_num(rates[-1]), field * (step / between), steps
)
for lead in range(steps):
    forecast[lead].astype("<f4").tofile(f"{folder}/lead-{lead + 1}.f32")
