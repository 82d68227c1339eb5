import { CHALLENGE, isSame, newChallenge, PROOF, proofOf } from '#server/listeners/tokens.ts'
import { httpCall } from './http-call.ts'

export interface Answered {
  response: Response
  text: string
  /** The token that the server has proved to know; null if it proved none. */
  token: string | null
}

/** Asks a server whether it is healthy, and which of our tokens it knows. Sends none of them. */
export async function askForProof(
  address: string,
  { tokens, signal }: { tokens: readonly string[]; signal?: AbortSignal | undefined },
): Promise<Answered> {
  const challenge = newChallenge()
  const response = await httpCall(address, { method: 'GET', headers: { [CHALLENGE]: challenge }, signal })
  const text = await response.text()
  const proof = response.headers.get(PROOF)
  const { host } = new URL(address)
  const token = tokens.find((one) => proof !== null && isSame(proof, proofOf(one, { challenge, host })!)) ?? null
  return { response, text, token }
}
