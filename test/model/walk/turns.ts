// The midnights at which the local date does not continue by one.

const AT: { readonly [zone: string]: string } = {
  'America/Goose_Bay': `
    1987-10-25T03:01Z 1988-10-30T02:01Z 1989-10-29T03:01Z 1990-10-28T03:01Z 1991-10-27T03:01Z 1992-10-25T03:01Z
    1993-10-31T03:01Z 1994-10-30T03:01Z 1995-10-29T03:01Z 1996-10-27T03:01Z 1997-10-26T03:01Z 1998-10-25T03:01Z
    1999-10-31T03:01Z 2000-10-29T03:01Z 2001-10-28T03:01Z 2002-10-27T03:01Z 2003-10-26T03:01Z 2004-10-31T03:01Z
    2005-10-30T03:01Z 2006-10-29T03:01Z 2007-11-04T03:01Z 2008-11-02T03:01Z 2009-11-01T03:01Z 2010-11-07T03:01Z`,
  'America/Moncton': `
    1993-10-31T03:01Z 1994-10-30T03:01Z 1995-10-29T03:01Z 1996-10-27T03:01Z 1997-10-26T03:01Z 1998-10-25T03:01Z
    1999-10-31T03:01Z 2000-10-29T03:01Z 2001-10-28T03:01Z 2002-10-27T03:01Z 2003-10-26T03:01Z 2004-10-31T03:01Z
    2005-10-30T03:01Z 2006-10-29T03:01Z`,
  'America/St_Johns': `
    1987-10-25T02:31Z 1988-10-30T01:31Z 1989-10-29T02:31Z 1990-10-28T02:31Z 1991-10-27T02:31Z 1992-10-25T02:31Z
    1993-10-31T02:31Z 1994-10-30T02:31Z 1995-10-29T02:31Z 1996-10-27T02:31Z 1997-10-26T02:31Z 1998-10-25T02:31Z
    1999-10-31T02:31Z 2000-10-29T02:31Z 2001-10-28T02:31Z 2002-10-27T02:31Z 2003-10-26T02:31Z 2004-10-31T02:31Z
    2005-10-30T02:31Z 2006-10-29T02:31Z 2007-11-04T02:31Z 2008-11-02T02:31Z 2009-11-01T02:31Z 2010-11-07T02:31Z`,
  'Antarctica/Casey': `
    2010-03-04T15:00Z`,
}

export interface Turn {
  readonly zone: string
  readonly at: number
}

const toTurn = (zone: string, at: string): Turn => ({ zone, at: Date.parse(at) })

/** All from 1970 to 2030 at which the clocks go back over a midnight, so that the date is again the one before. */
export const BACKWARDS: readonly Turn[] = Object.entries(AT).flatMap(([zone, text]) =>
  text
    .trim()
    .split(/\s+/)
    .map((at) => toTurn(zone, at)),
)

/** The first instant after a local date that no instant has. */
export const MISSING: readonly Turn[] = [
  toTurn('Pacific/Kwajalein', '1993-08-21T12:00Z'),
  toTurn('Pacific/Enderbury', '1994-12-31T11:00Z'),
  toTurn('Pacific/Kiritimati', '1994-12-31T10:00Z'),
  toTurn('Pacific/Apia', '2011-12-30T10:00Z'),
  toTurn('Pacific/Fakaofo', '2011-12-30T11:00Z'),
]

/** The first instant of a day that begins at one. */
export const LATE_MORNINGS: readonly Turn[] = [
  toTurn('America/Sao_Paulo', '2018-11-04T03:00Z'),
  toTurn('Africa/Cairo', '2023-04-27T22:00Z'),
  toTurn('Asia/Beirut', '2024-03-30T22:00Z'),
  toTurn('America/Havana', '2024-03-10T05:00Z'),
  toTurn('America/Santiago', '2024-09-08T04:00Z'),
  toTurn('Atlantic/Azores', '2024-03-31T01:00Z'),
]
