"""Lucas-Kanade motion, semi-Lagrangian extrapolation and S-PROG by pysteps, on frames that the bench wrote.

usage: pysteps-oracle.py FOLDER NX NY MINUTES_BETWEEN_FRAMES FRAMES STEP_MINUTES STEPS [sprog]
reads  FOLDER/frame-0.f32 ... (oldest first; mm/h, NaN outside coverage)
writes FOLDER/motion-u.f32, motion-v.f32 (pixels a minute), FOLDER/lead-1.f32 ... and, asked for S-PROG, FOLDER/sprog-1.f32 ...
"""
import sys

import numpy as np
from pysteps import extrapolation, motion, nowcasts

folder, nx, ny, between, frames, step, steps = sys.argv[1], *map(float, sys.argv[2:8])
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
if sys.argv[8:] == ["sprog"]:
    smooth = nowcasts.get_method("sprog")(
        decibel[-3:],
        field,
        [(k + 1) * step / between for k in range(steps)],
        n_cascade_levels=6,
        precip_thr=-10.0,
        num_workers=1,
    )
    # Values below the threshold are those of no rain.
    back = np.where(smooth > -10.0, 10 ** (smooth / 10), 0.0)
    back[~np.isfinite(smooth)] = np.nan
    for lead in range(steps):
        back[lead].astype("<f4").tofile(f"{folder}/sprog-{lead + 1}.f32")
