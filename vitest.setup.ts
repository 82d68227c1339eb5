import fc from 'fast-check'

/** The same examples at every run, so that main is green or red for everyone; BASHGYM_SEED=<n> tries others. */
fc.configureGlobal({ seed: Number(process.env['BASHGYM_SEED'] ?? 20_261_121) })
