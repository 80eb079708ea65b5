import { defineConfig } from 'vite'

export default defineConfig({ server: { proxy: { '/game': 'http://localhost:3000' } } })
