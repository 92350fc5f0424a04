export const insertRestore = 'insert into restores (restored_at, taken_at) values (now(), $1)'

export const markPossiblyBegun = `
  update orders set creation_begun_at = now()
  where creation_begun_at is null and destination_external_id is null`
