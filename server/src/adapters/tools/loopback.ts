/** Whether a host is this machine. Names below `localhost` are not among them: they may be looked up elsewhere. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
