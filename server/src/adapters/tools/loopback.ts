/** Whether a host is this machine. False for names such as `a.localhost`, which a DNS server may resolve to another machine. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)
