/** What is said of DocTypes, their fields and permissions that becomes nothing here: it is noted, unless it is only about how forms and prints look. */
import type { Json } from './model.ts'

/** What becomes something of the document, or a note of its own. */
const takenOfField = wordsIn(`fieldname fieldtype label options default description length precision reqd unique
  non_negative set_only_once depends_on mandatory_depends_on read_only_depends_on fetch_from`)
const takenOfType =
  wordsIn(`doctype name description istable is_submittable autoname naming_rule title_field fields field_order
  permissions`)
const takenOfPermission = wordsIn('read write create delete submit cancel export import if_owner role permlevel')

/** How forms, lists and prints look, where files lie, and who wrote them. */
const looks =
  wordsIn(`idx owner modified modified_by creation docstatus parent parentfield parenttype module custom app engine
  bold width print_width columns hide_border hide_days hide_seconds hide_toolbar print_hide print_hide_if_no_value report_hide
  oldfieldname oldfieldtype search_index collapsible in_preview allow_in_quick_entry allow_bulk_edit
  remember_last_selected_value sort_options show_dashboard show_on_timeline placeholder max_height button_color documentation documentation_url icon color grid_page_length rows_threshold_for_grid_search
  allow_rename allow_copy allow_events_in_timeline editable_grid quick_entry translated_doctype default_print_format
  show_title_field_in_link show_name_in_global_search force_re_route_to_default_view
  image_field migration_hash row_format index_web_pages_for_search beta document_type __last_update
  print email report share select set_user_permissions`)

function wordsIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

const saysNothing = (value: unknown): boolean =>
  value === null ||
  value === '' ||
  value === '0' ||
  value === 0 ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

const others = (said: Json, taken: ReadonlySet<string>): readonly string[] =>
  Object.entries(said).flatMap(([name, value]) =>
    taken.has(name) || looks.has(name) || saysNothing(value) ? [] : [name],
  )

/** The names of Frappe, in order. */
export const leftOutOfField = (said: Json): readonly string[] => others(said, takenOfField)
export const leftOutOfType = (said: Json): readonly string[] => others(said, takenOfType)
export const leftOutOfPermission = (said: Json): readonly string[] => others(said, takenOfPermission)
