/** A timeline: what lies in its lanes is moved to another time or lane. */
import './move.ts'
