// Package altered proves the judge from its other side. It takes recordings of a service that keeps the interface, alters one
// thing in each of thousands of copies (drops, renames, retypes, shifts, swaps), and has each copy judged. An alteration is
// either caught, and then by few requirements, or lawful, and then a rule with a name says why; anything else was missed.
package altered
