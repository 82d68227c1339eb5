/** Addresses of rows, for whoever shows a number that stands for them. */
export const tracesHref = (query: string): string => (query.trim() ? `/traces?q=${encodeURIComponent(query.trim())}` : '/traces')
export const traceHref = (id: string): string => `/traces?id=${id}`
export const stepHref = (traceId: string, stepId: string): string => `/traces?id=${traceId}&item=${encodeURIComponent(stepId)}`
