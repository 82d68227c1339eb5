import type { MachineTraffic, Refusal } from '../sandbox/machine.ts'

/** Why something was refused, in words that go to the program too. */
export const REFUSALS: Record<Refusal, string> = {
  'not-listed': 'is not on the list of addresses of this sandbox',
  'private-address': 'leads to an address that is not on the public internet, and the list does not name that address itself',
  'other-name': 'was asked for, but the connection names another host',
  'not-tls': 'was asked for with CONNECT, through which only TLS may go',
  'not-http': 'is no address that this proxy understands',
}

/** Different addresses that are kept apart; programs choose them, so there is an end. */
const MOST = 100
const LONGEST = 300

/** Counts what passed, and what was refused, by address and reason. */
export function countTraffic() {
  let passed = 0
  let refusedOthers = 0
  const refused = new Map<string, MachineTraffic['refused'][number]>()
  return {
    pass(): void {
      passed += 1
    },
    refuse(asked: string, reason: Refusal): void {
      const address = asked.slice(0, LONGEST)
      const key = `${reason} ${address}`
      const known = refused.get(key)
      if (known) known.times += 1
      else if (refused.size < MOST) refused.set(key, { address, reason, times: 1 })
      else refusedOthers += 1
    },
    reset(): void {
      passed = 0
      refusedOthers = 0
      refused.clear()
    },
    counts: (): MachineTraffic => ({ passed, refused: [...refused.values()].map((one) => ({ ...one })), refusedOthers }),
  }
}

export type Traffic = ReturnType<typeof countTraffic>
