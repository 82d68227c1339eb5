import type { MachineTraffic, Refusal } from '../sandbox/machine.ts'

/** Why an address was refused; the program gets this text too. */
export const REFUSALS: Record<Refusal, string> = {
  'not-listed': 'is not on the list of addresses of this sandbox',
  'private-address': 'leads to an address that is not on the public internet, and the list does not name that address itself',
  'other-name': 'was requested, but the connection names another host',
  'not-tls': 'was requested with CONNECT, which allows only TLS',
  'not-http': 'was requested in a way that this proxy does not understand',
}

/** Limits for the list of refused addresses, because programs choose them. */
const MAX_ADDRESSES = 100
const MAX_ADDRESS_LENGTH = 300

/** Counts allowed connections, and refused ones by address and reason. */
export function countTraffic() {
  let passed = 0
  let refusedOthers = 0
  const refused = new Map<string, MachineTraffic['refused'][number]>()
  return {
    pass(): void {
      passed += 1
    },
    refuse(requested: string, reason: Refusal): void {
      const address = requested.slice(0, MAX_ADDRESS_LENGTH)
      const key = `${reason} ${address}`
      const known = refused.get(key)
      if (known) known.times += 1
      else if (refused.size < MAX_ADDRESSES) refused.set(key, { address, reason, times: 1 })
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
