package reports

// Write is write, for tests of packages that read a folder.
func Write(dir string, in Input, beside ...Artefact) error {
	_, err := write(dir, in, beside...)
	return err
}
