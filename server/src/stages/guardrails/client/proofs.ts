import fs from 'node:fs'
import path from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { GuardProof } from '#contracts/entities/client-guard.ts'

/** `setup`: what took part in the decision; with others a proof says nothing. */
const Stored = GuardProof.extend({ setup: z.string() })
type Stored = z.infer<typeof Stored>

const MOST = 50

/** The last test of the guard with each version of Claude Code on this machine. */
export function createProofs(folder: string) {
  const file = path.join(folder, 'proofs.json')
  const all = (): Stored[] => {
    try {
      return z.array(Stored).parse(JSON.parse(fs.readFileSync(file, 'utf8')))
    } catch {
      return [] // none yet, or damaged
    }
  }
  return {
    of: (version: string | null): Stored | null => all().find((one) => one.version === version) ?? null,
    async save(proof: Stored): Promise<void> {
      const others = all().filter(({ version }) => version !== proof.version)
      await writeFileAtomic(file, JSON.stringify([...others, proof].slice(-MOST)), { mode: 0o600 })
    },
  }
}
