export const ALL_BATCHES = { href: '/arena/batches', label: 'All batches' }
