/**
 * Statements that change many rows in portions, each in a transaction of its own, so that nobody waits for longer than a portion takes.
 * They may be interrupted and begun again: `where` leaves out what is done. They fill and move what nobody else may change.
 */

const size = 2000

const released = `perform set_config('ninefold.append_only', 'off', true);`

/** Rows with an `id`, once through in its order: what changes meanwhile keeps its place in it. `where`: null for all of them. */
export function inPortions(table: string, set: string, where: string | null): string {
  const which = `"id" = any(touched$)${where === null ? '' : ` and (${where})`}`
  return `do $portions$
declare
  last$ uuid := '00000000-0000-0000-0000-000000000000';
  touched$ uuid[];
begin
  loop
    touched$ := array(select "id" from ${table} where "id" > last$ order by "id" limit ${size});
    exit when touched$ = '{}';
    ${released}
    perform 1 from ${table} where ${which} order by "id" for no key update;
    update ${table} as t set ${set} where ${which};
    last$ := touched$[cardinality(touched$)];
    commit;
  end loop;
end $portions$`
}

/** Rows without an `id` that an index finds by the condition, until none is left. */
export function untilNone(table: string, set: string, where: string): string {
  return `do $portions$ begin
  loop
    update ${table} set ${set} where ctid = any(array(select ctid from ${table} where ${where} limit ${size}));
    exit when not found;
    commit;
  end loop;
end $portions$`
}
