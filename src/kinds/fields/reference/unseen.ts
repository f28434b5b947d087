/** What a reader is given in place of the id of a record that they may not see: there is one, and nothing more. No record has this id. */
export const unseen = '00000000-0000-0000-0000-000000000000'
