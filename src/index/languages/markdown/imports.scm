(inline) @scan.link
(pipe_table_cell) @scan.link
(html_block) @scan.html
(link_reference_definition (link_destination) @scan.target)
