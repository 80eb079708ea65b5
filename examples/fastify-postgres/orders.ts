import type { Gamification, HostTransaction } from 'laurels'
import { fromPg } from 'laurels/postgres'
import type pg from 'pg'
import type { game } from './game.ts'

export interface Order {
  readonly customer: string
  readonly product: string
  /** True if the customer redeems a voucher, for half the price. */
  readonly voucher?: boolean
}

export interface PlacedOrder {
  readonly id: number
  readonly price: number
  /** The customer's total, this order included. */
  readonly total: number
  /** Keys of the achievements that it completed. */
  readonly achievements: readonly string[]
}

/** The shop's own tables, and something to sell. */
export async function createTables(pool: pg.Pool): Promise<void> {
  await pool.query(`
    CREATE TABLE IF NOT EXISTS products (name text PRIMARY KEY, price integer NOT NULL, stock integer NOT NULL);
    CREATE TABLE IF NOT EXISTS orders (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      customer text NOT NULL,
      product text NOT NULL REFERENCES products,
      price integer NOT NULL
    );
    INSERT INTO products VALUES ('teapot', 40, 100), ('samovar', 900, 1) ON CONFLICT DO NOTHING`)
}

/** Takes a product from the stock and records what the customer spent, both or neither. Returns null if none is left. */
export function placeOrder(
  pool: pg.Pool,
  gamification: Gamification<typeof game>,
  { customer, product, voucher = false }: Order,
): Promise<PlacedOrder | null> {
  return inTransaction(pool, async (client, tx) => {
    const taken = await client.query<{ price: number }>(
      'UPDATE products SET stock = stock - 1 WHERE name = $1 AND stock > 0 RETURNING price',
      [product],
    )
    const [found] = taken.rows
    if (found === undefined) return null

    const price = voucher ? found.price / 2 : found.price
    const placed = await client.query<{ id: number }>(
      'INSERT INTO orders (customer, product, price) VALUES ($1, $2, $3) RETURNING id',
      [customer, product, price],
    )
    const user = { id: customer }
    // Throws out_of_points if the customer cannot pay. The order is then rolled back too.
    if (voucher) await gamification.metrics.event('vouchers', { user, value: 1 }, { tx })
    const { total, achievements } = await gamification.metrics.event('spent', { user, value: price }, { tx })
    return { id: placed.rows[0]?.id ?? 0, price, total, achievements: achievements.map(({ key }) => key) }
  })
}

/** Commits what `work` did, or rolls it back if it throws. */
async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.ClientBase, tx: HostTransaction) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const tx = fromPg(client)
    const result = await work(client, tx)
    await client.query('COMMIT')
    // Runs the handlers.
    await tx.committed()
    return result
  } catch (error) {
    // If the connection is broken, Postgres rolls back.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}
