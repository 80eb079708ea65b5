/** How many rows one counter is spread over, so that processes that count the same at once do not wait for one another. */
export const SLOTS = 16
