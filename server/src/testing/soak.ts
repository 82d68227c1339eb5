/** `npm test` takes the usual number of turns, `npm run soak` the long one. */
export const soaking = (usual: number, long: number): number => (process.env['BASHGYM_SOAK'] ? long : usual)
