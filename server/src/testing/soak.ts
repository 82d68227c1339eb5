export const isSoaking = (): boolean => Boolean(process.env['BASHGYM_SOAK'])

/** `npm test` takes the usual number of turns, `npm run soak` the long one. */
export const soaking = (usual: number, long: number): number => (isSoaking() ? long : usual)
