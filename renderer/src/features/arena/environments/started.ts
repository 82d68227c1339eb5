/** What a server was told when it was started: its token is not told again. */
export interface Started {
  id: string
  token: string | null
}
