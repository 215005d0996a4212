import type { Verb } from '../verb.ts'

export const verbs: readonly Verb[] = [
  {
    name: 'verify',
    usage: 'verify [DATASET[/DOMAIN[/RUN]]] [--public-key FILE]',
    summary: 'compare stored tiles with their checksums and signatures',
    help: `
  npx hexcast verify
  npx hexcast verify nbm/conus/2026-08-20T12Z --public-key hexcast.pub

Reads every byte of the served runs, or of the stored stages of a dataset or run, in pieces of one megabyte. Prints a line for each stage
and what is wrong with it. Exit status 1 where anything is wrong, or nothing is stored.

--public-key  PEM file of the key that must have signed them (default: that of SIGNING_SECRET). An unsigned stage is wrong then;
              without a key signatures are not compared.`,
    options: { 'public-key': { type: 'string' } },
    positionals: 1,
    run: async (line) => (await import('./verify-run.ts')).verify(line),
  },
  {
    name: 'signing-key',
    usage: 'signing-key [--create FILE]',
    summary: 'print the public key that belongs to the signatures of tiles, or create a key',
    help: `
  npx hexcast signing-key --create /etc/hexcast/signing.pem > hexcast.pub
  SIGNING_SECRET_FILE=/etc/hexcast/signing.pem npx hexcast signing-key

Prints the public key in PEM on stdout and its fingerprint on stderr. --create writes a new private key, which only its owner may read, to
a file that must not exist yet. Workers sign with SIGNING_SECRET_FILE; readers need the public key alone: see hexcast verify.`,
    options: { create: { type: 'string' } },
    run: async (line) => (await import('./verify-run.ts')).signingKey(line),
  },
]
