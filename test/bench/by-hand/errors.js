export class HttpError extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Express' error handler: always JSON. */
export function answerError(error, _req, res, _next) {
  const status = error.status ?? 500
  if (status >= 500) console.error(error)
  const code = typeof error.code === 'string' && status < 500 ? error.code : (error.type ?? 'internal')
  res.status(status).json({ error: status < 500 ? error.message : 'Internal server error.', code })
}
