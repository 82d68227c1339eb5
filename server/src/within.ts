import path from 'node:path'

/** Whether a file is this place, or lies below it. Both absolute and normal; links are not followed. */
export const isWithin = (place: string, file: string): boolean => file === place || file.startsWith(place + path.sep)
