package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// mostColumns is the largest number of panels side by side; more would be too narrow for their numbers.
const mostColumns = 4

func layout(n int) (rows, columns int) {
	columns = min(n, mostColumns)
	return (n + columns - 1) / columns, columns
}

// panels draws one small plot for each of the chart's panels, all on the same axes, so that a key that differs stands out. Only
// the outer plots have axis labels.
func panels(area draw.Canvas, c Chart) {
	rows, columns := layout(len(c.Panels))
	grid := make([][]*plot.Plot, rows)
	var all []*plot.Plot
	for r := range grid {
		grid[r] = make([]*plot.Plot, columns)
		for k := range grid[r] {
			i := r*columns + k
			if i >= len(c.Panels) {
				continue
			}
			one := c
			one.Series, one.Y.Label = c.Panels[i:i+1], ""
			if i+columns < len(c.Panels) {
				one.X.Label = ""
			}
			p := newPlot(one)
			p.Title.Text, p.Title.TextStyle = c.Panels[i].Name, labelStyle(text.XCenter, text.YTop)
			p.X.Tick.Marker, p.Y.Tick.Marker = few{p.X.Tick.Marker}, few{p.Y.Tick.Marker}
			fit(p, c)
			grid[r][k], all = p, append(all, p)
		}
	}
	share(all)
	tiles := draw.Tiles{Rows: rows, Cols: columns, PadX: vg.Points(12), PadY: vg.Points(8)}
	canvases := plot.Align(grid, tiles, area)
	for r := range grid {
		for k, p := range grid[r] {
			if p != nil {
				p.Draw(canvases[r][k])
			}
		}
	}
}

// share gives all plots the widest range of any.
func share(all []*plot.Plot) {
	for _, p := range all {
		for _, q := range all {
			q.X.Min, q.X.Max = min(q.X.Min, p.X.Min), max(q.X.Max, p.X.Max)
			q.Y.Min, q.Y.Max = min(q.Y.Min, p.Y.Min), max(q.Y.Max, p.Y.Max)
		}
	}
}

// few returns every second tick if there are five or more, since a panel is narrow.
type few struct{ plot.Ticker }

// Ticks implements plot.Ticker.
func (f few) Ticks(low, high float64) []plot.Tick {
	all := f.Ticker.Ticks(low, high)
	var out []plot.Tick
	for i, t := range all {
		if len(all) < 5 || i%2 == 0 {
			out = append(out, t)
		}
	}
	return out
}
