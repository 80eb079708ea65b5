import { defineConfig } from 'vite'

// With the short form, Vite changes the header `Host`, and the server would refuse events from another origin.
export default defineConfig({ server: { proxy: { '/game': { target: 'http://localhost:3000' } } } })
