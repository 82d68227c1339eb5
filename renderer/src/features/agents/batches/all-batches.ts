export const ALL_BATCHES = { href: '/agents/batches', label: 'All batches' }
